import { DomainError, validationFailed } from '@kontor/kernel';
import { isExactInMajor, parseMajor } from '@kontor/money';
import { MajorOrMoney, OptionalField, RequiredField } from '@kontor/service-kit';
import { IsString, Length } from 'class-validator';
import type { PaymentReturn } from '../domain/returns/return-payment.js';

type Amount = number | { amount: number; currencyCode: string };

export class ReturnTransactionDto {
  @RequiredField()
  @IsString()
  @Length(1, 1000)
  reason!: string;

  /**
   * Major units as a number, or `{amount, currencyCode}` in minor units: how much of a payment went back. Without it, all that stands of
   * it; direct debits, and money that was paid out, come back as a whole.
   */
  @OptionalField()
  @MajorOrMoney()
  amount?: Amount | null;

  /** Major units as a number, or `{amount, currencyCode}` in minor units: what the bank keeps for it. */
  @OptionalField()
  @MajorOrMoney()
  feeAmount?: Amount | null;
}

/** The return in the payment's currency. @throws DomainError `validation_failed`, `currency_mismatch`. */
export function readReturn(dto: ReturnTransactionDto, currencyCode: string): PaymentReturn {
  const amountMinor = read('amount', dto.amount ?? null, currencyCode);
  if (amountMinor === 0n) throw validationFailed('amount', 'amount must not be 0.', 'zero_amount');
  return { reason: dto.reason, amountMinor, feeMinor: read('feeAmount', dto.feeAmount ?? null, currencyCode) ?? 0n };
}

function read(path: string, value: unknown, currencyCode: string): bigint | null {
  if (value === null) return null;
  if (typeof value === 'number') {
    const parsed = parseMajor(value, currencyCode);
    if (!parsed)
      throw validationFailed(
        path,
        `${path} must not have more decimals than ${currencyCode} allows.`,
        'too_many_decimals',
      );
    if (!isExactInMajor(parsed))
      throw validationFailed(path, `${path} is too large for a number; state minor units.`, 'out_of_range');
    return notNegative(path, parsed.amountMinor);
  }
  if (typeof value !== 'object') throw notMoney(`${path} must be a number or a money object.`);
  const { amount, currencyCode: named, ...rest } = value as Record<string, unknown>;
  if (typeof amount !== 'number' || typeof named !== 'string')
    throw notMoney(`${path} must be a number or a money object.`);
  if (Object.keys(rest).length > 0)
    throw new DomainError('unknown_field', {
      kind: 'invalid',
      detail: `The field ${path}.${Object.keys(rest)[0]} is unknown.`,
    });
  if (named !== currencyCode)
    throw new DomainError('currency_mismatch', { detail: `The payment is in ${currencyCode}.` });
  if (!Number.isSafeInteger(amount))
    throw validationFailed(`${path}.amount`, `${path}.amount must be a whole number of minor units.`, 'not_an_integer');
  return notNegative(path, BigInt(amount));
}

const notMoney = (detail: string): DomainError => new DomainError('invalid_request', { kind: 'invalid', detail });

function notNegative(path: string, minor: bigint): bigint {
  if (minor < 0n) throw validationFailed(path, `${path} must not be negative.`, 'negative_amount');
  return minor;
}
