import { validationFailed } from '@kontor/kernel';
import { isExactInMajor, parseMajor } from '@kontor/money';

/**
 * A signed amount in major units as minor units.
 * @throws DomainError `validation_failed`: too many decimals, zero, too large, also for a number to mean one amount only.
 */
export function readAmount(path: string, value: number, currencyCode: string): bigint {
  const amount = parseMajor(value, currencyCode);
  if (!amount)
    throw validationFailed(
      path,
      `${path} must not have more decimals than ${currencyCode} allows.`,
      'too_many_decimals',
    );
  if (amount.amountMinor === 0n) throw validationFailed(path, `${path} must not be 0.`, 'zero_amount');
  if (!isExactInMajor(amount)) throw validationFailed(path, `${path} is too large.`, 'out_of_range');
  return amount.amountMinor;
}

/** The same, greater than zero. @throws DomainError `validation_failed`, also when it is negative. */
export function readPositiveAmount(path: string, value: number, currencyCode: string): bigint {
  if (value < 0) throw validationFailed(path, `${path} must be greater than 0.`, 'negative_amount');
  return readAmount(path, value, currencyCode);
}
