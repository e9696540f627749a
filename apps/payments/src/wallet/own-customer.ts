import type { Principal } from '@kontor/contracts';
import { foreignCustomer } from '@kontor/service-kit';

/**
 * Whose wallets a caller reads: a customer-bound token its own, whatever it names; any other caller what it asks for.
 * @throws DomainError 403 `foreign_customer` when a customer-bound token names somebody else.
 */
export function customerOf(caller: Principal, asked: readonly string[] | undefined): readonly string[] | null {
  if (caller.kind !== 'customer' || caller.customerId === undefined) return asked ?? null;
  if (asked?.some((id) => id !== caller.customerId)) {
    throw foreignCustomer();
  }
  return [caller.customerId];
}
