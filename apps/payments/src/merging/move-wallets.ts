import { walletChangedV1 } from '@kontor/contracts';
import { appendEvents } from '@kontor/messaging';
import type { CustomerMerge, TenantTx } from '@kontor/persistence';
import { walletEvents } from '../customer-books/books-events.js';
import { wallets, type WalletRow } from '../customer-books/wallet.row.js';

/**
 * Where both have a wallet of a currency, the lines and lots of the one follow those of the other, so that credit that was used can
 * still return to the lot that it came from. A wallet that the survivor has none of is moved with the other rows.
 */
export async function moveWallets(
  tx: TenantTx,
  { mergeId, sourceCustomerId, survivorId }: CustomerMerge,
): Promise<void> {
  const both = await wallets.where(tx, 'customer_id = ANY ($2::uuid[]) ORDER BY currency_code, id', [
    [sourceCustomerId, survivorId],
  ]);
  await tx.query(
    `INSERT INTO customer_merge_object (tenant_id, merge_id, object, object_id)
     SELECT $1, $2, 'wallet_lot', l.id::text
     FROM wallet w
     JOIN wallet_lot l ON l.tenant_id = $1 AND l.wallet_id = w.id
     WHERE w.tenant_id = $1 AND w.customer_id = $3`,
    [tx.tenantId, mergeId, sourceCustomerId],
  );
  const changed: WalletRow[] = [];
  for (const source of both.filter(({ customerId }) => customerId === sourceCustomerId)) {
    const target = both.find(
      ({ customerId, currencyCode }) => customerId === survivorId && currencyCode === source.currencyCode,
    );
    if (target) await join(tx, mergeId, source, target);
    const kept = target ?? Object.assign(source, { customerId: survivorId });
    kept.version += 1;
    changed.push(kept);
  }
  await wallets.save(tx, changed);
  await appendEvents(tx, walletChangedV1, walletEvents(changed));
}

async function join(tx: TenantTx, mergeId: string, source: WalletRow, target: WalletRow): Promise<void> {
  await tx.query(
    `WITH moved AS (
       UPDATE wallet_transaction SET wallet_id = $3, sequence = sequence + $4,
         balance_after_minor = balance_after_minor + $5
       WHERE tenant_id = $1 AND wallet_id = $2
       RETURNING 1
     )
     INSERT INTO customer_merge_object (tenant_id, merge_id, object, object_id)
     SELECT $1, $6, 'joined_wallet', $2::uuid::text`,
    [tx.tenantId, source.id, target.id, target.sequence, target.balanceMinor.toString(), mergeId],
  );
  await tx.query(
    'UPDATE wallet_lot SET wallet_id = $3, ordinal = ordinal + $4 WHERE tenant_id = $1 AND wallet_id = $2',
    [tx.tenantId, source.id, target.id, target.sequence],
  );
  await tx.query('DELETE FROM wallet WHERE tenant_id = $1 AND id = $2', [tx.tenantId, source.id]);
  target.balanceMinor += source.balanceMinor;
  target.sequence += source.sequence;
}
