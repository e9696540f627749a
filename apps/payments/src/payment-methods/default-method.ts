import { paymentMethodChangedV1 } from '@kontor/contracts';
import { appendEvents } from '@kontor/messaging';
import { scheduleDueMany, type TenantTx } from '@kontor/persistence';
import { type PaymentMethod, methods } from './payment-method.row.js';
import { canCollect } from '../domain/payment-methods/payment-method.js';
import { NEW_DEFAULT } from '../due-kinds.js';
import { methodEvent } from './method-events.js';

export interface MethodChange {
  readonly method: PaymentMethod;
  readonly change: 'created' | 'updated' | 'removed';
}

/** The customer's methods that exist, oldest first. The customer's books are locked by the caller. */
export const methodsOf = (tx: TenantTx, customerId: string): Promise<PaymentMethod[]> =>
  methods.where(tx, 'customer_id = $2 AND deleted_at IS NULL ORDER BY id', [customerId]);

/** What cannot be used again, or never any more, is no default. */
export const canBeDefault = (method: PaymentMethod): boolean =>
  method.futureUsageAllowed && method.status !== 'expired' && method.status !== 'revoked';

/** Makes `chosen` the customer's only default and returns every method that this changes. */
export function chooseDefault(existing: readonly PaymentMethod[], chosen: PaymentMethod): PaymentMethod[] {
  const changed: PaymentMethod[] = [];
  for (const method of existing) {
    const isDefault = method.id === chosen.id;
    if (method.isDefault === isDefault) continue;
    method.isDefault = isDefault;
    changed.push(method);
  }
  return changed;
}

/**
 * Saves changed methods and publishes them. The one that ceases to be the default goes first: there is never more than
 * one.
 */
export async function saveMethods(tx: TenantTx, changes: readonly MethodChange[]): Promise<void> {
  const ordered = [...changes].sort((a, b) => Number(a.method.isDefault) - Number(b.method.isDefault));
  for (const { method } of ordered) method.version += 1;
  await methods.save(
    tx,
    ordered.flatMap(({ method }) => (method.isDefault ? [] : method)),
  );
  await methods.save(
    tx,
    ordered.flatMap(({ method }) => (method.isDefault ? method : [])),
  );
  // What failed by the former default is tried with the new one.
  const defaults = ordered.filter(({ method }) => method.isDefault && canCollect(method));
  await scheduleDueMany(
    tx,
    defaults.map(({ method }) => ({ kind: NEW_DEFAULT, ref: method.customerId, dueAt: tx.now })),
  );
  await appendEvents(
    tx,
    paymentMethodChangedV1,
    ordered.map(({ method, change }) => methodEvent(method, change)),
  );
}
