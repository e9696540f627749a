import { hasAtMost, LANGUAGES } from '@kontor/kernel';
import {
  BodyExample,
  DayString,
  DecimalString,
  Describe,
  FieldCheck,
  NestedList,
  OptionalField,
  ReadOnly,
  StringMap,
  Uuid,
} from '@kontor/service-kit';
import { IsBoolean, IsIn, IsInt, Max, Min } from 'class-validator';
import { CountryField, TextField } from '../fields.js';

const MAX_TRANSLATION = 2000;

export class CatalogueObjectDto {
  @ReadOnly() id?: string;
  @ReadOnly() createdAt?: string;
  @ReadOnly() updatedAt?: string;
}

export class ArchivableDto extends CatalogueObjectDto {
  @ReadOnly() status?: string;
}

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
          (text === null || (typeof text === 'string' && hasAtMost(text, MAX_TRANSLATION))),
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
  @OptionalField()
  @IsInt()
  @Min(1)
  @Max(31)
  @Describe("Day of the month, 1 to 31; clipped to the month's end.")
  customDay?: number | null;
  @OptionalField() @IsInt() @Min(1) @Max(12) @Describe('Month of the year, 1 to 12; null: every month.') customMonth?:
    number | null;
}
