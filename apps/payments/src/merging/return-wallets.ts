import { walletChangedV1 } from '@kontor/contracts';
import { newUuid } from '@kontor/kernel';
import { appendEvents } from '@kontor/messaging';
import { type CustomerMerge, type NewRow, notedIds, type TenantTx } from '@kontor/persistence';
import { walletEvents } from '../customer-books/books-events.js';
import { wallets, type WalletRow } from '../customer-books/wallet.row.js';

interface Joined {
  readonly walletId: string;
  readonly firstSequence: number;
  readonly lines: number;
}

/** Lines and lots that followed those of another customer's wallet are a wallet of their own again. Nobody has used them since. */
export async function returnJoinedWallets(tx: TenantTx, merge: CustomerMerge): Promise<void> {
  const joined = await tx.query<Joined>(
    `SELECT wallet_id AS "walletId", min(sequence) AS "firstSequence", count(*)::int AS lines
     FROM wallet_transaction
     WHERE tenant_id = $1 AND id = ANY (SELECT x.object_id::uuid FROM ${notedIds('$2', "'wallet_transaction'")} AS x)
       AND wallet_id::text NOT IN ${notedIds('$2', "'wallet'")}
     GROUP BY wallet_id ORDER BY wallet_id`,
    [tx.tenantId, merge.mergeId],
  );
  for (const lines of joined) await part(tx, merge, lines);
}

async function part(tx: TenantTx, { mergeId, sourceCustomerId }: CustomerMerge, joined: Joined): Promise<void> {
  const { walletId, firstSequence, lines } = joined;
  const [target] = await wallets.where(tx, 'id = $2', [walletId]);
  if (!target) return;
  const source: NewRow<WalletRow> = {
    id: newUuid(),
    customerId: sourceCustomerId,
    currencyCode: target.currencyCode,
    balanceMinor: 0n,
    version: 0,
    sequence: lines,
    createdAt: tx.now,
  };
  const before = firstSequence - 1;
  await tx.query(
    `UPDATE wallet_transaction SET wallet_id = $3, sequence = sequence - $4, customer_id = $6
     WHERE tenant_id = $1 AND wallet_id = $2
       AND id = ANY (SELECT x.object_id::uuid FROM ${notedIds('$5', "'wallet_transaction'")} AS x)`,
    [tx.tenantId, walletId, source.id, before, mergeId, sourceCustomerId],
  );
  await tx.query(
    `UPDATE wallet_lot SET wallet_id = $3, ordinal = ordinal - $4
     WHERE tenant_id = $1 AND wallet_id = $2
       AND id = ANY (SELECT x.object_id::uuid FROM ${notedIds('$5', "'wallet_lot'")} AS x)`,
    [tx.tenantId, walletId, source.id, before, mergeId],
  );
  await closeGap(tx, walletId, firstSequence, lines);
  for (const wallet of [source, target]) wallet.balanceMinor = await recount(tx, wallet.id);
  target.sequence -= lines;
  target.version += 1;
  await wallets.save(tx, [source, target]);
  await appendEvents(tx, walletChangedV1, walletEvents([target]));
}

/** Numbers of lines are without gaps; two steps, because each is there once at any moment. */
async function closeGap(tx: TenantTx, walletId: string, from: number, width: number): Promise<void> {
  const later = 'WHERE tenant_id = $1 AND wallet_id = $2';
  await tx.query(`UPDATE wallet_transaction SET sequence = -(sequence - $4::int) ${later} AND sequence > $3`, [
    tx.tenantId,
    walletId,
    from,
    width,
  ]);
  await tx.query(`UPDATE wallet_transaction SET sequence = -sequence ${later} AND sequence < 0`, [
    tx.tenantId,
    walletId,
  ]);
  await tx.query(`UPDATE wallet_lot SET ordinal = ordinal - $4::int ${later} AND ordinal > $3`, [
    tx.tenantId,
    walletId,
    from,
    width,
  ]);
}

/** What each line leaves, and what is left in the end. */
async function recount(tx: TenantTx, walletId: string): Promise<bigint> {
  const [sum] = await tx.query<{ balance: string }>(
    `WITH running AS (
       SELECT id, sum(amount_minor) OVER (ORDER BY sequence) AS after FROM wallet_transaction
       WHERE tenant_id = $1 AND wallet_id = $2
     ), counted AS (
       UPDATE wallet_transaction t SET balance_after_minor = r.after
       FROM running r
       WHERE t.tenant_id = $1 AND t.id = r.id
       RETURNING t.amount_minor
     )
     SELECT coalesce(sum(amount_minor), 0)::text AS balance FROM counted`,
    [tx.tenantId, walletId],
  );
  return BigInt(sum?.balance ?? 0);
}
