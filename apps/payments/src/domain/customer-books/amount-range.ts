import { DomainError } from '@kontor/kernel';
import { isSafeAmount } from '@kontor/money';

/**
 * Balances travel as JSON numbers, so they stay within what those carry exactly. Asked before anything is changed.
 * @throws DomainError 422 `amount_out_of_range`
 */
export function mustCarry(balanceMinor: bigint, what: string): void {
  if (isSafeAmount(balanceMinor)) return;
  throw new DomainError('amount_out_of_range', { detail: `${what} would leave the range of amounts.` });
}
