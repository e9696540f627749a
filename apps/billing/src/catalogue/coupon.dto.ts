import {
  BodyExample,
  CurrencyCode,
  DecimalString,
  Describe,
  InstantString,
  Nested,
  OptionalField,
  ReadOnly,
  RequiredField,
  Uuid,
} from '@kontor/service-kit';
import { ArrayMaxSize, IsBoolean, IsIn, IsInt, Max, Min } from 'class-validator';
import { TextField } from '../fields.js';
import { ArchivableDto } from './catalogue.dto.js';

export const DISCOUNT_TYPES = ['percentage', 'fixed_amount'] as const;
export const DISCOUNT_FREQUENCIES = ['once', 'limited', 'lifetime'] as const;

/** An amount that a discount takes off, in minor units of its currency. */
export class DiscountAmountDto {
  @RequiredField() @IsInt() @Min(1) @Max(Number.MAX_SAFE_INTEGER) amount!: number;
  @RequiredField() @CurrencyCode() currencyCode!: string;
}

class CouponProductsDto {
  @OptionalField()
  @Uuid({ each: true })
  @ArrayMaxSize(100)
  @Describe('Only these products; none: all.')
  include?: string[] | null;
  @OptionalField() @Uuid({ each: true }) @ArrayMaxSize(100) @Describe('Not these products.') exclude?: string[] | null;
}

/** `discountViolations` says which of the terms belong together. */
@BodyExample({
  code: 'SPRING',
  type: 'percentage',
  percentage: '10',
  frequency: 'limited',
  frequencyInterval: 3,
  maxRedemptions: 100,
})
export class CouponDto extends ArchivableDto {
  @OptionalField()
  @DecimalString({ min: '0.000001', max: '100', scale: 6 })
  @Describe('For the type percentage: per cent, above 0.')
  percentage?: string | null;
  @OptionalField()
  @Nested(() => DiscountAmountDto)
  @Describe('For the type fixed_amount: taken off each line once per billing interval, never below zero.')
  fixedAmount?: DiscountAmountDto | null;
  @OptionalField()
  @IsInt()
  @Min(1)
  @Max(1000)
  @Describe('For the frequency limited: number of billing intervals.')
  frequencyInterval?: number | null;
  @ReadOnly() redemptions?: number;
  @RequiredField() @TextField({ max: 100 }) @Describe('What people type; unique, whatever its case.') code!: string;
  @OptionalField() @TextField({ blank: true }) @Describe('Shown on invoices; the code when absent.') name?:
    string | null;
  @RequiredField() @IsIn(DISCOUNT_TYPES) type!: (typeof DISCOUNT_TYPES)[number];
  @RequiredField()
  @IsIn(DISCOUNT_FREQUENCIES)
  @Describe('once: one billing interval; limited: frequencyInterval of them; lifetime: all.')
  frequency!: (typeof DISCOUNT_FREQUENCIES)[number];
  @OptionalField()
  @IsInt()
  @Min(1)
  @Max(1_000_000_000)
  @Describe('How many redemptions there may be in all; null: any number.')
  maxRedemptions?: number | null;
  @OptionalField()
  @IsInt()
  @Min(1)
  @Max(1_000_000_000)
  @Describe('How many redemptions one customer may have; null: any number.')
  maxRedemptionsPerCustomer?: number | null;
  @OptionalField()
  @InstantString()
  @Describe('The last instant at which it can be redeemed; what is redeemed goes on.')
  validUntil?: string | null;
  @OptionalField() @Nested(() => CouponProductsDto) products?: CouponProductsDto | null;
  @OptionalField() @IsBoolean() @Describe('True when absent.') isEnabled?: boolean | null;
}
