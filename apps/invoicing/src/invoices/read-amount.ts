import { DomainError, validationFailed } from '@kontor/kernel';
import { isExactInMajor, parseMajor } from '@kontor/money';

/**
 * An amount as requests give it, a number of major units or a money object, in minor units; null when there is none.
 * @throws DomainError `invalid_request`, `unknown_field`, `validation_failed`, `currency_mismatch`.
 */
export function readAmount(amount: unknown, field: string, currencyCode: string): bigint | null {
  if (amount === null || amount === undefined) return null;
  if (typeof amount === 'number') {
    const parsed = parseMajor(amount, currencyCode);
    if (!parsed) throw validationFailed(field, `${field} has more decimals than ${currencyCode}.`, 'too_many_decimals');
    if (!isExactInMajor(parsed))
      throw validationFailed(field, `${field} is too large for a number; state minor units.`, 'out_of_range');
    return parsed.amountMinor;
  }
  const {
    amount: minor,
    currencyCode: named,
    ...rest
  } = (typeof amount === 'object' ? amount : {}) as Record<string, unknown>;
  if (typeof minor !== 'number' || typeof named !== 'string')
    throw new DomainError('invalid_request', {
      kind: 'invalid',
      detail: `${field} must be a number or a money object.`,
    });
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined)
    throw new DomainError('unknown_field', { kind: 'invalid', detail: `The field ${field}.${unknown} is unknown.` });
  if (named !== currencyCode)
    throw new DomainError('currency_mismatch', { detail: `The document is in ${currencyCode}.` });
  if (!Number.isSafeInteger(minor))
    throw validationFailed(
      `${field}.amount`,
      `${field}.amount must be a whole number of minor units.`,
      'not_an_integer',
    );
  return BigInt(minor);
}
