import type { Principal } from '@kontor/contracts';
import { foreignCustomer, invalidRequest } from '@kontor/service-kit';

/**
 * Whose wallets a caller reads: a customer-bound token those of its customer, whatever it names; any other caller what
 * it asks for.
 * @throws DomainError 403 `foreign_customer` when a customer-bound token names somebody else.
 */
export function customerOf(caller: Principal, asked: readonly string[] | undefined): readonly string[] | null {
  if (caller.kind !== 'customer' || caller.customerId === undefined) return asked ?? null;
  if (asked?.some((id) => id !== caller.customerId)) {
    throw foreignCustomer();
  }
  return [caller.customerId];
}

/** The customer that a customer-bound token keeps to; null for every other caller. */
export const ownCustomerId = (caller: Principal): string | null =>
  caller.kind === 'customer' ? (caller.customerId ?? null) : null;

/**
 * For whom a request is: a customer-bound token's customer, else the one that is named.
 * @throws DomainError 403 `foreign_customer`; 400 `invalid_request` when nobody is named.
 */
export function subjectOf(caller: Principal, named: string | null | undefined): string {
  const [customerId] = customerOf(caller, named ? [named] : undefined) ?? [];
  if (customerId !== undefined) return customerId;
  const message = 'The field customerId is required.';
  throw invalidRequest(message, [{ propertyPath: 'customerId', message, code: 'required' }]);
}
