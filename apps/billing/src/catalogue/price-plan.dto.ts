import {
  BodyExample,
  CurrencyCode,
  DecimalString,
  Describe,
  exampleIdOf,
  FieldCheck,
  IntervalString,
  Nested,
  NestedList,
  NotSupportedYet,
  OptionalField,
  ReadOnly,
  StringMap,
  Uuid,
} from '@kontor/service-kit';
import { IsBoolean, IsIn, IsInt, Max, Min } from 'class-validator';
import { TextField } from '../fields.js';
import { ArchivableDto } from './catalogue.dto.js';

const MAX_UNITS = 1_000_000_000;

/** Whole units, as a number or (like every quantity) as text. */
const WholeUnits = (): PropertyDecorator =>
  FieldCheck({
    code: 'invalid_units',
    message: `must be a whole number from 0 to ${MAX_UNITS}`,
    types: ['number', 'string'],
    schema: { multipleOf: 1, minimum: 0, maximum: MAX_UNITS, maxLength: 10, pattern: '^\\d{1,9}$' },
    holds: (value) => /^\d{1,10}$/.test(String(value)) && Number(value) <= MAX_UNITS,
  });

/** A price; its currency is the price plan's. */
export class PriceDto {
  @IsInt() @Min(0) @Max(Number.MAX_SAFE_INTEGER) amount!: number;
  @OptionalField() @CurrencyCode() currencyCode?: string | null;
  @OptionalField() @IsInt() @Min(0) @Max(12) @Describe("Decimals of amount; the currency's when absent.") precision?:
    number | null;
  @ReadOnly() createdAt?: string;
  @ReadOnly() updatedAt?: string;
  @ReadOnly() tenantId?: string;
}

/** An amount in minor units; its currency is the price plan's. */
export class AmountDto {
  @IsInt() @Min(0) @Max(Number.MAX_SAFE_INTEGER) amount!: number;
  @OptionalField() @CurrencyCode() currencyCode?: string | null;
}

export class TierDto {
  @OptionalField()
  @DecimalString({ min: '0' })
  @Describe('Last unit of the tier, inclusive; null in the last tier.')
  upTo?: string | null;
  @OptionalField() @Nested(() => PriceDto) unitPrice?: PriceDto | null;
  @OptionalField() @Nested(() => AmountDto) flatPrice?: AmountDto | null;
}

export const PRICE_PLAN_TYPES = [
  'flat_fee',
  'per_unit',
  'tiered',
  'volume',
  'stair_step',
  'package',
  'percentage',
] as const;

/** A price of its own for usage with certain properties; its type and currency are the price plan's. */
export class GroupPriceDto {
  @StringMap()
  @Describe(
    'Value by property of the metric\'s groupBy. All entries name the same properties; a value that the events lack is "".',
  )
  group!: Record<string, string>;
  @OptionalField() @Nested(() => PriceDto) price?: PriceDto | null;
  @OptionalField() @NestedList(() => TierDto, { max: 100 }) tiers?: TierDto[] | null;
  @OptionalField() @DecimalString({ min: '0' }) packageSize?: string | null;
  @OptionalField() @DecimalString({ min: '0', max: '1000' }) percentage?: string | null;
  @OptionalField()
  @WholeUnits()
  @Describe("How many units of this group cost nothing; the plan's own free units are for the rest.")
  freeUnits?: number | string | null;
}

@BodyExample({
  product: exampleIdOf('product'),
  type: 'per_unit',
  currencyCode: 'EUR',
  price: { amount: 900 },
  billingInterval: '1M',
})
export class PricePlanDto extends ArchivableDto {
  @ReadOnly() custom?: boolean;
  @ReadOnly() inUse?: boolean;
  @NotSupportedYet() charge?: unknown;
  @NotSupportedYet() productSetOption?: unknown;
  @Uuid() product!: string;
  @IsIn(PRICE_PLAN_TYPES) type!: (typeof PRICE_PLAN_TYPES)[number];
  @CurrencyCode() currencyCode!: string;
  @OptionalField() @Nested(() => PriceDto) price?: PriceDto | null;
  @OptionalField() @NestedList(() => TierDto, { max: 100 }) tiers?: TierDto[] | null;
  @OptionalField() @DecimalString({ min: '0' }) packageSize?: string | null;
  @OptionalField()
  @DecimalString({ min: '0', max: '1000' })
  @Describe('For the type percentage: per cent of the quantity, which then is money in major units of currencyCode.')
  percentage?: string | null;
  @IntervalString() billingInterval!: string;
  @OptionalField() @IntervalString() showPricePerInterval?: string | null;
  @OptionalField() @IsBoolean() @Describe('Always false with a usageMetric.') payInAdvance?: boolean | null;
  @OptionalField() @IsBoolean() proRata?: boolean | null;
  @OptionalField() @IsBoolean() applyTrial?: boolean | null;
  @OptionalField() @WholeUnits() freeUnits?: number | string | null;
  @OptionalField() @Nested(() => AmountDto) minimumPrice?: AmountDto | null;
  @OptionalField() @Uuid() @Describe('Only this customer may have the price.') customer?: string | null;
  @OptionalField()
  @Uuid()
  @Describe(
    'Id of a usage metric: each period is billed at its end by what it measures. The quantity is not ' +
      'prorated; free units (as whole units, rounded up) and minimumPrice of a partial period are.',
  )
  usageMetric?: string | null;
  @OptionalField()
  @NestedList(() => GroupPriceDto, { max: 200 })
  @Describe(
    "Prices that depend on the usageMetric's groupBy. Each group is priced by itself; usage of all other " +
      "groups is added up and has the plan's own price and freeUnits. minimumPrice is the line's.",
  )
  groupPrices?: GroupPriceDto[] | null;
  @OptionalField() @Uuid() measurement?: string | null;
  @OptionalField() @TextField({ blank: true }) internalName?: string | null;
}
