import { MERGE_HOLDS, type TenantTx } from '@kontor/persistence';

/** Intents of documents that were a customer's when it was merged, and came after that: they would go back with the documents. */
export async function noteLateIntents(
  tx: TenantTx,
  late: readonly { readonly intentId: string; readonly customerId: string }[],
): Promise<void> {
  if (late.length === 0) return;
  await tx.query(
    `INSERT INTO customer_merge_object (tenant_id, merge_id, object, object_id)
     SELECT $1, m.merge_id, 'payment_intent', x.intent
     FROM unnest($2::text[], $3::uuid[]) AS x (intent, customer)
     JOIN customer_merge m ON m.tenant_id = $1 AND m.source_customer_id = x.customer AND m.${MERGE_HOLDS}
     ON CONFLICT DO NOTHING`,
    [tx.tenantId, late.map(({ intentId }) => intentId), late.map(({ customerId }) => customerId)],
  );
}
