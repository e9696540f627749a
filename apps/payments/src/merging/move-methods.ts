import type { CustomerMerge, TenantTx } from '@kontor/persistence';
import { saveMethods } from '../payment-methods/default-method.js';
import { methods } from '../payment-methods/payment-method.row.js';

/** A customer has one default method: the survivor's, where it has one. */
export const keepOneDefault = (tx: TenantTx, { sourceCustomerId, survivorId }: CustomerMerge): Promise<unknown> =>
  tx.query(
    `UPDATE payment_method SET is_default = false
     WHERE tenant_id = $1 AND customer_id = $2 AND is_default AND EXISTS (
       SELECT FROM payment_method t WHERE t.tenant_id = $1 AND t.customer_id = $3 AND t.is_default)`,
    [tx.tenantId, sourceCustomerId, survivorId],
  );

/** Publishes whose the methods are now, for everybody who keeps copies of them. */
export async function publishMoved(tx: TenantTx, { mergeId, survivorId }: CustomerMerge): Promise<void> {
  const moved = await methods.where(
    tx,
    `customer_id = $2 AND deleted_at IS NULL AND id::text IN (
       SELECT object_id FROM customer_merge_object
       WHERE tenant_id = $1 AND merge_id = $3 AND object = 'payment_method') ORDER BY id`,
    [survivorId, mergeId],
  );
  await saveMethods(
    tx,
    moved.map((method) => ({ method, change: 'updated' as const })),
  );
}
