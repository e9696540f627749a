import type { Principal } from '@kontor/contracts';
import { customerOf, invalidRequest } from '@kontor/service-kit';

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
