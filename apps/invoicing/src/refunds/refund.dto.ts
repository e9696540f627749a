import { DomainError, validationFailed } from '@kontor/kernel';
import { parseMajor } from '@kontor/money';
import { Describe, OptionalField, Uuid } from '@kontor/service-kit';
import { IsString, Length } from 'class-validator';

/** `POST /invoices/{id}/refund`. */
export class RefundInvoiceDto {
  @OptionalField()
  @Describe('Major units as a number, or `{amount, currencyCode}` in minor units; all that is left unless given.')
  amount?: number | { amount: number; currencyCode: string } | null;

  @OptionalField()
  @Uuid()
  @Describe('Where the money goes; unless given, back the way it came.')
  paymentMethod?: string | null;

  @OptionalField()
  @IsString()
  @Length(1, 1000)
  reason?: string | null;
}

/**
 * The amount in minor units; null: all that is left.
 * @throws DomainError `invalid_request`, `unknown_field`, `validation_failed`, `currency_mismatch`.
 */
export function readRefundAmount(amount: unknown, currencyCode: string): bigint | null {
  if (amount === null || amount === undefined) return null;
  if (typeof amount === 'number') {
    const parsed = parseMajor(amount, currencyCode);
    if (!parsed || Math.abs(amount) > Number.MAX_SAFE_INTEGER)
      throw validationFailed('amount', `amount has more decimals than ${currencyCode}.`, 'too_many_decimals');
    return parsed.amountMinor;
  }
  const {
    amount: minor,
    currencyCode: named,
    ...rest
  } = (typeof amount === 'object' ? amount : {}) as Record<string, unknown>;
  if (typeof minor !== 'number' || typeof named !== 'string')
    throw new DomainError('invalid_request', { kind: 'invalid', detail: 'amount must be a number or a money object.' });
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined)
    throw new DomainError('unknown_field', { kind: 'invalid', detail: `The field amount.${unknown} is unknown.` });
  if (named !== currencyCode)
    throw new DomainError('currency_mismatch', { detail: `The document is in ${currencyCode}.` });
  if (!Number.isSafeInteger(minor))
    throw validationFailed('amount.amount', 'amount.amount must be a whole number of minor units.', 'not_an_integer');
  return BigInt(minor);
}
