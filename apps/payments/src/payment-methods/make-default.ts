import { notFound, unknownReference } from '@kontor/kernel';
import { Database, type TenantTx } from '@kontor/persistence';
import { ReplicaFreshness } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { lockCustomers } from '../customer-books/lock-customers.js';
import { methods, type PaymentMethod } from './payment-method.row.js';
import { canBeDefault, chooseDefault, methodsOf, saveMethods } from './default-method.js';
import { representMethod } from './represent-method.js';
import { waitForCopies } from './wait-for-copies.js';

/**
 * Makes a method its customer's default; the one before ceases to be it. Returns the method and all that changed.
 * @throws DomainError `not_found`, `unknown_reference` when the method is another customer's, for one payment only, or
 * over.
 */
export async function makeDefault(
  tx: TenantTx,
  id: string,
  customerId: string | null,
): Promise<{ method: PaymentMethod; changed: PaymentMethod[] }> {
  const [seen] = await methods.where(tx, 'id = $2 AND deleted_at IS NULL', [id]);
  if (!seen) throw notFound('The payment method');
  if (customerId !== null && seen.customerId !== customerId)
    throw unknownReference('paymentMethodId', 'payment method');
  await lockCustomers(tx, [seen.customerId]);
  const existing = await methodsOf(tx, seen.customerId);
  const method = existing.find((m) => m.id === id);
  if (!method) throw notFound('The payment method');
  if (!canBeDefault(method)) throw unknownReference('paymentMethodId', 'payment method for future use');
  const changed = chooseDefault(existing, method);
  await saveMethods(
    tx,
    changed.map((m) => ({ method: m, change: 'updated' as const })),
  );
  return { method, changed };
}

/** {@link makeDefault} as an operation of its own, visible everywhere when it answers. */
@Injectable()
export class MakeDefault {
  constructor(
    private readonly database: Database,
    private readonly freshness: ReplicaFreshness,
  ) {}

  async execute(tenantId: string, id: string, customerId: string | null) {
    let changed: PaymentMethod[] = [];
    const answer = await this.database.tenant(tenantId, async (tx) => {
      const made = await makeDefault(tx, id, customerId);
      changed = made.changed;
      return { paymentMethod: representMethod(made.method), version: made.method.version };
    });
    await waitForCopies(this.freshness, tenantId, changed);
    return answer;
  }
}
