import { DomainError, validationFailed } from '@kontor/kernel';
import { isExactInMajor, parseMajor } from '@kontor/money';
import { MajorOrMoney, OptionalField, RequiredField } from '@kontor/service-kit';
import { IsString, Length } from 'class-validator';
import type { PaymentReturn } from '../domain/returns/return-payment.js';

export class ReturnTransactionDto {
  @RequiredField()
  @IsString()
  @Length(1, 1000)
  reason!: string;

  /** Major units as a number, or `{amount, currencyCode}` in minor units: what the bank keeps for it. */
  @OptionalField()
  @MajorOrMoney()
  feeAmount?: number | { amount: number; currencyCode: string } | null;
}

/** The return in the payment's currency. @throws DomainError `validation_failed`, `currency_mismatch`. */
export function readReturn(dto: ReturnTransactionDto, currencyCode: string): PaymentReturn {
  return { reason: dto.reason, feeMinor: readFee(dto.feeAmount ?? null, currencyCode) };
}

function readFee(fee: unknown, currencyCode: string): bigint {
  if (fee === null) return 0n;
  if (typeof fee === 'number') {
    const parsed = parseMajor(fee, currencyCode);
    if (!parsed)
      throw validationFailed(
        'feeAmount',
        `feeAmount must not have more decimals than ${currencyCode} allows.`,
        'too_many_decimals',
      );
    if (!isExactInMajor(parsed))
      throw validationFailed('feeAmount', 'feeAmount is too large for a number; state minor units.', 'out_of_range');
    return notNegative(parsed.amountMinor);
  }
  if (typeof fee !== 'object')
    throw new DomainError('invalid_request', {
      kind: 'invalid',
      detail: 'feeAmount must be a number or a money object.',
    });
  const { amount, currencyCode: named, ...rest } = fee as Record<string, unknown>;
  if (typeof amount !== 'number' || typeof named !== 'string')
    throw new DomainError('invalid_request', {
      kind: 'invalid',
      detail: 'feeAmount must be a number or a money object.',
    });
  if (Object.keys(rest).length > 0)
    throw new DomainError('unknown_field', {
      kind: 'invalid',
      detail: `The field feeAmount.${Object.keys(rest)[0]} is unknown.`,
    });
  if (named !== currencyCode)
    throw new DomainError('currency_mismatch', { detail: `The payment is in ${currencyCode}.` });
  if (!Number.isSafeInteger(amount))
    throw validationFailed(
      'feeAmount.amount',
      'feeAmount.amount must be a whole number of minor units.',
      'not_an_integer',
    );
  return notNegative(BigInt(amount));
}

function notNegative(feeMinor: bigint): bigint {
  if (feeMinor < 0n) throw validationFailed('feeAmount', 'feeAmount must not be negative.', 'negative_amount');
  return feeMinor;
}
