import { DomainError } from '@kontor/kernel';
import { isSafeAmount, type MoneyJson } from '@kontor/money';

/**
 * An amount of a report, as it is summed in the database. Each document is within the range of amounts, their sum need not be: then
 * there is no number for it that is right.
 * @throws DomainError 422 `amount_out_of_range`
 */
export function reportMoney(minor: bigint | string, currencyCode: string): MoneyJson {
  const exact = BigInt(minor);
  if (!isSafeAmount(exact))
    throw new DomainError('amount_out_of_range', {
      detail: `A sum in ${currencyCode} is beyond the range of amounts; ask for fewer months, or by groups.`,
    });
  return { amount: Number(exact), currencyCode };
}
