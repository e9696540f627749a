import { dayOf, DomainError, startOfDay } from '@kontor/kernel';
import { scheduleDue, type TenantTx } from '@kontor/persistence';
import type { PaymentMethod } from './payment-method.row.js';
import { mandateEnds } from '../domain/payment-methods/sepa-mandate.js';
import { chooseDefault, methodsOf, saveMethods } from './default-method.js';
import { END_METHOD } from '../due-kinds.js';

/**
 * Saves a new method, makes it the default where that is wanted, and notes when its mandate ends unused. The customer's
 * books are locked by the caller. Returns every method that this changes.
 * @throws DomainError `already_exists` when another request took the mandate's reference meanwhile.
 */
export async function addMethod(
  tx: TenantTx,
  { method, wantsDefault, zone }: { method: PaymentMethod; wantsDefault: boolean; zone: string },
): Promise<PaymentMethod[]> {
  const existing = await methodsOf(tx, method.customerId);
  const others = wantsDefault ? chooseDefault([...existing, method], method).filter((other) => other !== method) : [];
  try {
    await saveMethods(tx, [
      ...others.map((other) => ({ method: other, change: 'updated' as const })),
      { method, change: 'created' },
    ]);
  } catch (error) {
    if ((error as { constraint?: string }).constraint !== 'payment_method_mandate') throw error;
    throw new DomainError('already_exists', { detail: 'This mandate reference is already in use.' });
  }
  const { mandate } = method.details;
  if (mandate) {
    const ends = mandateEnds(mandate.signedOn, dayOf(method.creationDate, zone));
    await scheduleDue(tx, { kind: END_METHOD, ref: method.id, dueAt: startOfDay(ends, zone) });
  }
  return [...others, method];
}
