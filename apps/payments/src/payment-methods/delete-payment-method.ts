import { DomainError, notFound, unknownReference } from '@kontor/kernel';
import { cancelDue, Database, type TenantTx } from '@kontor/persistence';
import { ReplicaFreshness } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { lockCustomers } from '../customer-books/lock-customers.js';
import { methods, type PaymentMethod } from './payment-method.row.js';
import { canBeDefault, chooseDefault, type MethodChange, methodsOf, saveMethods } from './default-method.js';
import { REGISTER_METHOD } from '../due-kinds.js';
import { giveUp } from './give-up-methods.js';
import { MethodReactions } from './reactions.js';
import { waitForCopies } from './wait-for-copies.js';

/** Removes a way to pay. What it paid stays. */
@Injectable()
export class DeletePaymentMethod {
  constructor(
    private readonly database: Database,
    private readonly freshness: ReplicaFreshness,
    private readonly reactions: MethodReactions,
  ) {}

  /**
   * @throws DomainError `not_found`, `new_default_payment_method_required`, `unknown_reference`
   * (newDefaultPaymentMethodId).
   */
  async execute(tenantId: string, id: string, newDefaultId: string | null): Promise<void> {
    const changed: PaymentMethod[] = [];
    await this.database.tenant(tenantId, async (tx) => {
      changed.length = 0;
      const [seen] = await methods.where(tx, 'id = $2 AND deleted_at IS NULL', [id]);
      if (!seen) throw notFound('The payment method');
      await lockCustomers(tx, [seen.customerId]);
      const existing = await methodsOf(tx, seen.customerId);
      const method = existing.find((m) => m.id === id);
      if (!method) throw notFound('The payment method');
      const changes = removal(existing, method, newDefaultId);
      method.deletedAt = tx.now;
      changed.push(...changes.map((change) => change.method));
      await saveMethods(tx, changes);
      await forgetRegistration(tx, id);
      await giveUp(tx, [method]);
      await this.reactions.methodRemoved(tx, id);
    });
    await waitForCopies(this.freshness, tenantId, changed);
  }
}

/** A provider's later word, or the payer's return, does not bring a removed method back. */
async function forgetRegistration(tx: TenantTx, id: string): Promise<void> {
  await tx.query(
    `UPDATE method_registration SET state = 'failed', fail_reason = 'payment_method_removed'
      WHERE tenant_id = $1 AND id = $2 AND state IN ('asking', 'waiting')`,
    [tx.tenantId, id],
  );
  await cancelDue(tx, REGISTER_METHOD, id);
}

/** Which methods change when `method` goes: itself, and the one that becomes the default. */
function removal(
  existing: readonly PaymentMethod[],
  method: PaymentMethod,
  newDefaultId: string | null,
): MethodChange[] {
  const others = existing.filter((m) => m !== method);
  const next = newDefaultId === null ? undefined : others.find((m) => m.id === newDefaultId && canBeDefault(m));
  if (newDefaultId !== null && !next) throw unknownReference('newDefaultPaymentMethodId', 'new default payment method');
  if (method.isDefault && others.length > 0 && !next) {
    throw new DomainError('new_default_payment_method_required', {
      detail: 'This is the default method: name the next one as newDefaultPaymentMethodId.',
      violations: [
        { propertyPath: 'newDefaultPaymentMethodId', message: 'A new default method must be named.', code: 'required' },
      ],
    });
  }
  method.isDefault = false;
  const promoted = next ? chooseDefault(others, next) : [];
  return [{ method, change: 'removed' }, ...promoted.map((m) => ({ method: m, change: 'updated' as const }))];
}
