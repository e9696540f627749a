import type { MergeConflict } from '@kontor/contracts';
import { type CustomerMerge, notedIds, type TenantTx } from '@kontor/persistence';

const NOTED = (kind: string): string => notedIds('$2', `'${kind}'`);

/** Wallets that went as a whole and have got lines since. */
const NEW_LINES = `
  SELECT 1 FROM wallet_transaction t
  WHERE t.tenant_id = $1 AND t.wallet_id::text IN ${NOTED('wallet')} AND t.id::text NOT IN ${NOTED('wallet_transaction')}`;

/** Credit of the one that was used since, or has returned: its lines are the other one's. */
const USED_LOTS = `
  SELECT 1 FROM wallet_transaction t, jsonb_array_elements(t.uses) AS u
  WHERE t.tenant_id = $1 AND t.customer_id = $3 AND t.id::text NOT IN ${NOTED('wallet_transaction')}
    AND u->>'lotId' IN ${NOTED('wallet_lot')}`;

/** Documents of the one that credit of the other has paid, or that have brought the other credit. */
const MIXED_CREDIT = `
  SELECT 1 FROM payment_allocation a
  WHERE a.tenant_id = $1 AND a.intent_id = ANY (SELECT x.object_id::uuid FROM ${NOTED('payment_intent')} AS x)
    AND a.wallet_transaction_id IS NOT NULL AND a.wallet_transaction_id::text NOT IN ${NOTED('wallet_transaction')}
  UNION ALL
  SELECT 1 FROM wallet_transaction t
  WHERE t.tenant_id = $1 AND t.customer_id = $3 AND t.id::text NOT IN ${NOTED('wallet_transaction')}
    AND (t.intent_id::text IN ${NOTED('payment_intent')} OR t.transaction_id::text IN ${NOTED('payment_transaction')})`;

/** Credit of the two has been used for each other: it has no former customer any more. */
export async function isCreditMixed(
  tx: TenantTx,
  { mergeId, survivorId }: Pick<CustomerMerge, 'mergeId' | 'survivorId'>,
): Promise<boolean> {
  const mixed = `SELECT EXISTS (${NEW_LINES}) OR EXISTS (${USED_LOTS}) OR EXISTS (${MIXED_CREDIT}) AS "isMixed"`;
  const [credit] = await tx.query<{ isMixed: boolean }>(mixed, [tx.tenantId, mergeId, survivorId]);
  return credit?.isMixed ?? false;
}

/** What speaks against money becoming its former customer's again. `underWay` finds money of `$2` that has not arrived. */
export async function undoConflicts(
  tx: TenantTx,
  { mergeId, survivorId }: CustomerMerge,
  underWay: string,
): Promise<MergeConflict[]> {
  const conflicts: MergeConflict[] = [];
  if ((await tx.query(underWay, [tx.tenantId, survivorId])).length > 0)
    conflicts.push({
      code: 'payment_under_way',
      message: 'Money of the customer is on its way: a collection, a refund or a top-up. It has to end first.',
    });
  if (await isCreditMixed(tx, { mergeId, survivorId }))
    conflicts.push({
      code: 'credit_used',
      message: 'Credit of the two customers has been used for each other since; it cannot be told apart any more.',
    });
  return conflicts;
}
