import { type CustomerMerge, noteMerged, notedIds, type TenantTx } from '@kontor/persistence';
import { canBeDefault, saveMethods } from '../payment-methods/default-method.js';
import { methods } from '../payment-methods/payment-method.row.js';

/** A customer has one default method: the survivor's, where it has one. */
export async function keepOneDefault(
  tx: TenantTx,
  { mergeId, sourceCustomerId, survivorId }: CustomerMerge,
): Promise<void> {
  const former = await tx.query<{ id: string }>(
    `UPDATE payment_method SET is_default = false
     WHERE tenant_id = $1 AND customer_id = $2 AND is_default AND EXISTS (
       SELECT FROM payment_method t WHERE t.tenant_id = $1 AND t.customer_id = $3 AND t.is_default)
     RETURNING id`,
    [tx.tenantId, sourceCustomerId, survivorId],
  );
  const ids = former.map(({ id }) => id);
  await noteMerged(tx, mergeId, 'default_payment_method', ids);
}

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

/**
 * Methods that were returned are published; the one that was the default is it again where none has taken its place. What is
 * unpaid is not collected from an account of the other customer.
 */
export async function publishReturned(tx: TenantTx, merge: CustomerMerge): Promise<void> {
  const { mergeId, sourceCustomerId, survivorId } = merge;
  await tx.query(
    `UPDATE payment_intent i SET payment_method_id = NULL
     FROM payment_method m
     WHERE i.tenant_id = $1 AND i.customer_id = ANY ($2::uuid[]) AND i.open_minor <> 0
       AND m.tenant_id = $1 AND m.id = i.payment_method_id AND m.customer_id <> i.customer_id`,
    [tx.tenantId, [sourceCustomerId, survivorId]],
  );
  const returned = await methods.where(
    tx,
    `customer_id = $2 AND deleted_at IS NULL
       AND id = ANY (SELECT x.object_id::uuid FROM ${notedIds('$3', "'payment_method'")} AS x) ORDER BY id`,
    [sourceCustomerId, mergeId],
  );
  const formerly = await tx.query<{ id: string }>(
    `SELECT x.object_id AS id FROM ${notedIds('$2', "'default_payment_method'")} AS x`,
    [tx.tenantId, mergeId],
  );
  const former = returned.find(({ id }) => formerly.some((noted) => noted.id === id));
  if (former && canBeDefault(former) && !returned.some(({ isDefault }) => isDefault)) former.isDefault = true;
  await saveMethods(
    tx,
    returned.map((method) => ({ method, change: 'updated' as const })),
  );
}
