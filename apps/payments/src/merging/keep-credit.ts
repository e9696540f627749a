import { type CustomerMerge, notedIds, type TenantTx } from '@kontor/persistence';

/** Documents that credit has paid, or that have brought credit, and top-ups. */
const OF_CREDIT = `
  SELECT i.id FROM payment_intent i
  WHERE i.tenant_id = $1 AND i.id = ANY (SELECT x.object_id::uuid FROM ${notedIds('$2', `'payment_intent'`)} AS x)
    AND (EXISTS (SELECT FROM payment_allocation a
        WHERE a.tenant_id = $1 AND a.intent_id = i.id AND a.wallet_transaction_id IS NOT NULL)
      OR EXISTS (SELECT FROM wallet_transaction t WHERE t.tenant_id = $1 AND t.intent_id = i.id))`;

/**
 * Credit that was used for both customers stays where it is when they are parted, and with it what it has paid and what has brought it:
 * a merge no longer notes it as moved. What has paid something and goes back later finds that by the documents, whosever they are.
 */
export async function keepCredit(tx: TenantTx, { mergeId }: CustomerMerge): Promise<void> {
  const forget = (what: string): Promise<unknown> =>
    tx.query(`DELETE FROM customer_merge_object o WHERE o.tenant_id = $1 AND o.merge_id = $2 AND (${what})`, [
      tx.tenantId,
      mergeId,
    ]);
  await forget(`o.object = 'top_up' AND o.object_id IN (
    SELECT i.top_up_id::text FROM payment_intent i WHERE i.tenant_id = $1 AND i.id IN (${OF_CREDIT}))`);
  await forget(`o.object = 'payment_transaction' AND o.object_id IN (
    SELECT l.source_transaction_id::text FROM wallet_lot l WHERE l.tenant_id = $1 AND l.source_transaction_id = ANY (
      SELECT x.object_id::uuid FROM ${notedIds('$2', `'payment_transaction'`)} AS x))`);
  await forget(`o.object = 'payment_intent' AND o.object_id IN (SELECT c.id::text FROM (${OF_CREDIT}) c)`);
  await forget(`o.object IN ('wallet', 'wallet_transaction', 'wallet_lot', 'joined_wallet')`);
}
