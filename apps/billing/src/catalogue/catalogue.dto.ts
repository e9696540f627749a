import {
  BodyExample,
  CurrencyCode,
  DayString,
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
import { LANGUAGES } from '../domain/customers/language.js';
import { CountryField, TextField } from '../fields.js';

const MAX_UNITS = 1_000_000_000;
const MAX_TRANSLATION = 2000;

class CatalogueObjectDto {
  @ReadOnly() id?: string;
  @ReadOnly() createdAt?: string;
  @ReadOnly() updatedAt?: string;
}

export class ArchivableDto extends CatalogueObjectDto {
  @ReadOnly() status?: string;
}

/** Whole units, as a number or (like every quantity) as text. */
const WholeUnits = (): PropertyDecorator =>
  FieldCheck({
    code: 'invalid_units',
    message: `must be a whole number from 0 to ${MAX_UNITS}`,
    types: ['number', 'string'],
    schema: { multipleOf: 1, minimum: 0, maximum: MAX_UNITS, maxLength: 10, pattern: '^\\d{1,9}$' },
    holds: (value) => /^\d{1,10}$/.test(String(value)) && Number(value) <= MAX_UNITS,
  });

export class ProductFamilyDto extends ArchivableDto {
  @ReadOnly() products?: unknown;
  @TextField() name!: string;
}

export class UnitDto extends ArchivableDto {
  @TextField() name!: string;
}

export const AGGREGATION_TYPES = ['count', 'count_unique', 'sum', 'max', 'last_value', 'average'] as const;

export class MeasurementDto extends ArchivableDto {
  @TextField() code!: string;
  @OptionalField() @TextField({ max: 2000, blank: true }) description?: string | null;
  @OptionalField() @Uuid() unit?: string | null;
  @OptionalField() @IsIn(AGGREGATION_TYPES) aggregationType?: (typeof AGGREGATION_TYPES)[number] | null;
  @OptionalField() @IsBoolean() fairBilling?: boolean | null;
  @OptionalField() @IsIn(['recurring', 'metered']) type?: 'recurring' | 'metered' | null;
}

export const TAX_GROUP_TYPES = ['standard', 'reduced', 'zero', 'exempt'] as const;
export const REVERSE_CHARGE_TYPES = [
  'REVERSE_CHARGE_DEACTIVATED',
  'REVERSE_CHARGE',
  'REVERSE_CHARGE_INTRA_EU_SUPPLY',
] as const;

/** A dated rate of a country. */
export class TaxDto {
  @ReadOnly() id?: string;
  @CountryField() countryCode!: string;
  @DecimalString({ min: '0', max: '100', scale: 3 }) @Describe('Percent.') rate!: string;
  @DayString() @Describe('First day of the rate.') validFrom!: string;
  @OptionalField() @TextField({ blank: true }) code?: string | null;
  @OptionalField() @TextField({ blank: true }) description?: string | null;
}

export class TaxGroupDto extends ArchivableDto {
  @OptionalField()
  @NestedList(() => TaxDto, { max: 500 })
  @Describe(
    'Rates of countries outside the Union in which the seller is registered: customers there are charged them from their ' +
      'day on. Rates of member states follow from the type; they may be sent back as GET answers them.',
  )
  taxes?: TaxDto[] | null;
  @TextField() internalDescription!: string;
  @OptionalField() @IsIn(TAX_GROUP_TYPES) type?: (typeof TAX_GROUP_TYPES)[number] | null;
  @OptionalField() @IsIn(REVERSE_CHARGE_TYPES) reverseChargeType?: (typeof REVERSE_CHARGE_TYPES)[number] | null;
}

type Translations = Record<string, { name?: string | null; description?: string | null }>;

const TEXT = { type: ['string', 'null'], maxLength: MAX_TRANSLATION };
const TRANSLATED = { type: 'object', properties: { name: TEXT, description: TEXT }, additionalProperties: false };

const isTranslations = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(value).every(
    ([language, texts]: [string, unknown]) =>
      (LANGUAGES as readonly string[]).includes(language) &&
      typeof texts === 'object' &&
      texts !== null &&
      !Array.isArray(texts) &&
      Object.entries(texts).every(
        ([key, text]: [string, unknown]) =>
          (key === 'name' || key === 'description') &&
          (text === null || (typeof text === 'string' && text.length <= MAX_TRANSLATION)),
      ),
  );

const TranslationsField = () =>
  FieldCheck({
    code: 'invalid_translations',
    message: 'must be {"de": {"name", "description"}, "en": {…}}',
    types: ['object'],
    schema: {
      properties: Object.fromEntries(LANGUAGES.map((language) => [language, TRANSLATED])),
      additionalProperties: false,
    },
    holds: isTranslations,
  });

export const PRODUCT_TYPES = ['product', 'charge', 'plan'] as const;

@BodyExample({ name: 'Team', type: 'product', description: 'Workspace for a team' })
export class ProductDto extends ArchivableDto {
  @TextField() name!: string;
  @OptionalField() @IsIn(PRODUCT_TYPES) @Describe('product recurs, charge is billed once.') type?:
    (typeof PRODUCT_TYPES)[number] | null;
  @OptionalField() @Uuid() @Describe('The seeded standard group when absent.') taxGroup?: string | null;
  @OptionalField() @Uuid() productFamily?: string | null;
  @OptionalField() @Uuid() unit?: string | null;
  @OptionalField() @Uuid() measurement?: string | null;
  @OptionalField() @TextField({ blank: true }) productNumber?: string | null;
  @OptionalField() @TextField({ blank: true, max: 5000 }) description?: string | null;
  @OptionalField() @TextField({ blank: true }) internalName?: string | null;
  @OptionalField() @IsIn(['always', 'only_if_charged']) invoiceVisibility?: 'always' | 'only_if_charged' | null;
  @OptionalField() @IsBoolean() @Describe('Goods are taxed otherwise than services when exported.') isGood?:
    boolean | null;
  @OptionalField() @StringMap() customFields?: Record<string, string> | null;
  @OptionalField() @TranslationsField() translations?: Translations | null;
}

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
  @OptionalField() @WholeUnits() @Describe("Free units of this group; the plan's own are for the rest.") freeUnits?:
    number | string | null;
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

export class PlanItemDto {
  @Uuid() pricePlan!: string;
  @OptionalField() @DecimalString({ min: '0', max: '1000000000000' }) quantity?: string | null;
}

export class PlanPeriodDto {
  @ReadOnly() id?: string;
  @ReadOnly() createdAt?: string;
  @ReadOnly() updatedAt?: string;
  @OptionalField() @IsInt() @Min(1) @Max(1000) contractPeriodCount?: number | null;
  @OptionalField() @IntervalString() contractPeriod?: string | null;
  @OptionalField() @IntervalString() cancellationPeriod?: string | null;
}

export const PLAN_STATUSES = ['draft', 'active', 'archived'] as const;
export const CHANGE_BEHAVIOURS = [
  'upgradeable_and_downgradeable',
  'upgradeable',
  'downgradeable',
  'not_changeable',
] as const;

@BodyExample({
  code: 'team',
  name: 'Team',
  status: 'active',
  items: [{ pricePlan: exampleIdOf('pricePlan'), quantity: '2' }],
})
export class PlanDto extends CatalogueObjectDto {
  @TextField() code!: string;
  @TextField() name!: string;
  @OptionalField() @TextField({ blank: true, max: 5000 }) description?: string | null;
  @OptionalField() @Uuid() family?: string | null;
  @OptionalField() @Uuid() originProduct?: string | null;
  @OptionalField() @IsBoolean() allowCheckout?: boolean | null;
  @OptionalField() @IsIn(PLAN_STATUSES) status?: (typeof PLAN_STATUSES)[number] | null;
  @OptionalField() @IsIn(CHANGE_BEHAVIOURS) changeBehaviour?: (typeof CHANGE_BEHAVIOURS)[number] | null;
  @OptionalField() @IsIn(['end_of_period', 'immediately']) changeApplyBehaviour?:
    'end_of_period' | 'immediately' | null;
  @OptionalField() @NestedList(() => PlanItemDto, { max: 100 }) items?: PlanItemDto[] | null;
  @OptionalField() @Nested(() => PlanPeriodDto) period?: PlanPeriodDto | null;
}

export const BILLING_GROUP_TYPES = [
  'start_of_month',
  'end_of_month',
  'start_of_year',
  'end_of_year',
  'custom',
] as const;

@BodyExample({ name: 'First of the month', type: 'start_of_month' })
export class BillingGroupDto extends ArchivableDto {
  @TextField() name!: string;
  @IsIn(BILLING_GROUP_TYPES) type!: (typeof BILLING_GROUP_TYPES)[number];
  @OptionalField() @Uuid() @Describe('Null: every customer.') customer?: string | null;
  @OptionalField() @IsInt() @Min(1) @Max(31) @Describe("Clipped to the month's end.") customDay?: number | null;
  @OptionalField() @IsInt() @Min(1) @Max(12) @Describe('Null: every month.') customMonth?: number | null;
}
