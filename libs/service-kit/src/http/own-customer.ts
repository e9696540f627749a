import type { Principal } from '@kontor/contracts';
import { invariant, notFound } from '@kontor/kernel';
import type { ListQuery } from './list-query.js';
import { foreignCustomer } from './problem.js';

/** The customer that a customer-bound token keeps to; null for every other caller. */
export function ownCustomerId(caller: Principal): string | null {
  if (caller.kind !== 'customer' && caller.kind !== 'client') return null;
  invariant(caller.customerId, 'a customer-bound token names its customer');
  return caller.customerId;
}

/**
 * Whose objects a caller reads: a customer-bound token those of its customer, whatever it names; any other caller what
 * it asks for.
 * @throws DomainError 403 `foreign_customer` when a customer-bound token names somebody else.
 */
export function customerOf(caller: Principal, asked: readonly string[] | undefined): readonly string[] | null {
  const customerId = ownCustomerId(caller);
  if (customerId === null) return asked ?? null;
  if (asked?.some((id) => id !== customerId)) throw foreignCustomer();
  return [customerId];
}

/** A list that a customer-bound token gets of its own customer only. @throws DomainError 403 `foreign_customer` */
export function ownList(caller: Principal, list: ListQuery, filter = 'customer'): ListQuery {
  const customers = customerOf(caller, list.filters[filter]);
  return customers === null ? list : { ...list, filters: { ...list.filters, [filter]: customers } };
}

/** To a customer-bound token another customer's objects do not exist. @throws DomainError `not_found` */
export function refuseForeign(caller: Principal, ownerId: string, what: string): void {
  const customerId = ownCustomerId(caller);
  if (customerId !== null && customerId !== ownerId) throw notFound(what);
}
