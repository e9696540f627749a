import { INTERVAL_PATTERN, isInterval, isLeitwegId, isSupportedDay, isUuid, hasAtMost } from '@kontor/kernel';
import { isCurrency, isDecimal } from '@kontor/money';
import { IsDefined, IsInt, IsOptional, Max, Min, ValidateBy, ValidateIf } from 'class-validator';
import type { JsonSchema } from '../http/operation.js';
import { type DecimalLimits, decimalPattern } from './decimal-pattern.js';
import { type FieldExtras, type JsonType, noteField } from './field-extras.js';

const note =
  (extras: FieldExtras): PropertyDecorator =>
  (prototype, property) =>
    noteField(prototype, String(property), extras);

const all =
  (...decorators: PropertyDecorator[]): PropertyDecorator =>
  (prototype, property) => {
    for (const decorate of decorators) decorate(prototype, property);
  };

interface Check {
  code: string;
  message: string;
  types: readonly JsonType[];
  schema: JsonSchema;
  holds(value: unknown): boolean;
}

/** A check on one value (or, with `each`, on every item of a list) that also shows up in the OpenAPI document. */
export const FieldCheck = (check: Check, options: { each?: boolean } = {}): PropertyDecorator =>
  all(
    note({ types: check.types, schema: check.schema, ...(options.each ? { list: true } : {}) }),
    ValidateBy(
      {
        name: check.code,
        validator: {
          validate: (value: unknown) => check.holds(value),
          defaultMessage: () => `$property ${check.message}`,
        },
      },
      { each: options.each },
    ),
  );

/** Set by the service: accepted in a body, so that an answer can be sent back changed, and ignored. */
export const ReadOnly = (): PropertyDecorator => note({ readOnly: true });
/** Not built yet: anything but null (or one of `allowed`) is 422 `not_supported_yet`. */
export const NotSupportedYet = (options: { allowed?: readonly unknown[] } = {}): PropertyDecorator =>
  note({ notSupportedYet: { allowed: options.allowed ?? [] } });
/** Must be there and not null: 400 when missing. */
export const RequiredField = (): PropertyDecorator => IsDefined();
/** May be left out or null. */
export const OptionalField = (): PropertyDecorator => IsOptional();
/** May be left out; null is refused. */
export const OptionalNotNullField = (): PropertyDecorator => ValidateIf((_, value: unknown) => value !== undefined);
/** Must be there, null is a value. */
export const NullableField = (): PropertyDecorator => ValidateIf((_, value: unknown) => value !== null);
/** One sentence for the OpenAPI document. */
export const Describe = (description: string): PropertyDecorator => note({ description });

/** What the document says of a text whose use case checks it: `iban`, `bic`. */
export const TextFormat = (format: string): PropertyDecorator => note({ schema: { format } });

/** An id, read as it is stored: whoever compares it need not know that it may be written in capitals. */
export const Uuid = (options: { each?: boolean } = {}): PropertyDecorator =>
  all(
    note({ canonical: (text) => text.toLowerCase() }),
    FieldCheck(
      { code: 'invalid_uuid', message: 'must be a UUID', types: ['string'], schema: { format: 'uuid' }, holds: isUuid },
      options,
    ),
  );

/** The address of a German authority for e-invoices. */
export const LeitwegIdField = (): PropertyDecorator =>
  FieldCheck({
    code: 'invalid_leitweg_id',
    message: 'must be a Leitweg-ID with its check digits',
    types: ['string'],
    schema: { format: 'leitweg-id', maxLength: 46 },
    holds: (value) => typeof value === 'string' && isLeitwegId(value),
  });

/** A decimal as text, `"23.09"`; optionally bounded and limited in its decimals. */
export const DecimalString = (options: DecimalLimits & { each?: boolean } = {}): PropertyDecorator =>
  FieldCheck(
    {
      code: 'invalid_decimal',
      message: [
        'must be a decimal string',
        ...(options.min === undefined ? [] : [`at least ${options.min}`]),
        ...(options.max === undefined ? [] : [`at most ${options.max}`]),
        ...(options.scale === undefined ? [] : [`with at most ${options.scale} decimals`]),
      ].join(', '),
      types: ['string'],
      schema: { format: 'decimal', maxLength: 40, pattern: decimalPattern(options) },
      holds: (value) => isDecimal(value) && value.length <= 40 && fits(value, options),
    },
    { each: options.each },
  );

function fits(value: string, limits: DecimalLimits): boolean {
  // Bounds are short; a double orders them exactly enough, and equality is settled by the text's own digits.
  const number = Number(value);
  if (limits.min !== undefined && number < Number(limits.min)) return false;
  if (limits.max !== undefined && number > Number(limits.max)) return false;
  return limits.scale === undefined || (value.split('.')[1]?.replace(/0+$/, '') ?? '').length <= limits.scale;
}

/** `14D`, `1M`, `1Y`; at most ten years. */
export const IntervalString = (): PropertyDecorator =>
  FieldCheck({
    code: 'invalid_interval',
    message: 'must be an interval of up to ten years such as 14D, 1M or 1Y',
    types: ['string'],
    schema: { pattern: INTERVAL_PATTERN },
    holds: isInterval,
  });

/** ISO 4217, upper case. */
export const CurrencyCode = (): PropertyDecorator =>
  FieldCheck({
    code: 'invalid_currency',
    message: 'must be an ISO 4217 currency code',
    types: ['string'],
    schema: { format: 'iso-4217', examples: ['EUR'] },
    holds: isCurrency,
  });

const INSTANT = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):?[0-5]\d)$/;

/** True for an ISO 8601 date-time with a zone whose day exists, from 1900 to 2200. */
export function isInstantText(value: unknown): value is string {
  const match = typeof value === 'string' ? INSTANT.exec(value) : null;
  return match !== null && isSupportedDay(match[1]) && !Number.isNaN(Date.parse(value as string));
}

/** From 1900 to 2200, as `isSupportedDay` has it. */
const YEARS = '^(19|20|21|2200-)';

/** An ISO 8601 date-time with a zone: `2026-01-31T11:00:00.000Z`. */
export const InstantString = (): PropertyDecorator =>
  FieldCheck({
    code: 'invalid_timestamp',
    message: 'must be an ISO 8601 date-time with a zone, from 1900 to 2200',
    types: ['string'],
    schema: { format: 'date-time', pattern: YEARS },
    holds: isInstantText,
  });

/** A calendar day, `2026-01-31`. */
export const DayString = (): PropertyDecorator =>
  FieldCheck({
    code: 'invalid_date',
    message: 'must be a calendar day from 1900 to 2200, YYYY-MM-DD',
    types: ['string'],
    schema: { format: 'date', pattern: YEARS },
    holds: isSupportedDay,
  });

/** An amount as a number of major units, or as money. Who knows the currency reads it. */
export const MajorOrMoney = (): PropertyDecorator =>
  note({
    types: ['number', 'object'],
    schema: {
      properties: {
        amount: { type: 'integer', description: 'Minor units.' },
        currencyCode: { type: 'string', format: 'iso-4217', description: 'ISO 4217 code of the currency.' },
      },
      required: ['amount', 'currencyCode'],
      additionalProperties: false,
    },
  });

/** A value of another DTO class, which is checked by itself: `violationsOf`. */
export const Nested = (dto: () => Function): PropertyDecorator => note({ nested: dto, types: ['object'] });

/** A list of values of another DTO class. */
export const NestedList = (dto: () => Function, options: { min?: number; max?: number } = {}): PropertyDecorator =>
  all(note({ nested: dto, list: true, types: ['object'] }), lengthOf(options));

function lengthOf({ min = 0, max = 1000 }: { min?: number; max?: number }): PropertyDecorator {
  const between = `must have ${min} to ${max} items`;
  return all(
    note({ schema: { minItems: min, maxItems: max } }),
    ValidateBy({
      name: 'invalid_length',
      validator: {
        validate: (value: unknown) => Array.isArray(value) && value.length >= min && value.length <= max,
        defaultMessage: () => `$property ${between}`,
      },
    }),
  );
}

const MAX_PROPERTIES = 200;
const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object from text to text, such as custom fields. */
export const StringMap = (): PropertyDecorator =>
  all(
    note({ valueTypes: ['string'] }),
    FieldCheck({
      code: 'invalid_map',
      message: `must be an object of at most ${MAX_PROPERTIES} texts with at most 10000 characters each`,
      types: ['object'],
      schema: { maxProperties: MAX_PROPERTIES, additionalProperties: { type: 'string', maxLength: 10_000 } },
      holds: (value) =>
        isObject(value) &&
        Object.keys(value).length <= MAX_PROPERTIES &&
        Object.values(value).every((item) => typeof item === 'string' && hasAtMost(item, 10_000)),
    }),
  );

const MAX_FREE_JSON = 10_000;

/** A JSON object whose fields are somebody else's, such as what a payment provider's form made. */
export const FreeObject = (): PropertyDecorator =>
  FieldCheck({
    code: 'invalid_object',
    message: `must be an object of at most ${MAX_PROPERTIES} fields and ${MAX_FREE_JSON} characters of JSON`,
    types: ['object'],
    schema: { maxProperties: MAX_PROPERTIES, additionalProperties: true },
    holds: (value) =>
      isObject(value) && Object.keys(value).length <= MAX_PROPERTIES && JSON.stringify(value).length <= MAX_FREE_JSON,
  });

const SIGNS: Record<'any' | 'notZero' | 'positive', JsonSchema> = {
  any: {},
  notZero: { not: { const: 0 } },
  positive: { exclusiveMinimum: 0 },
};

/** A number in major units (`49.99`); the currency decides its decimals, so the use case checks them, and with them the sign. */
export const MajorUnits = (sign: keyof typeof SIGNS = 'any'): PropertyDecorator =>
  FieldCheck({
    code: 'invalid_amount',
    message: 'must be an amount',
    types: ['number'],
    schema: { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER, ...SIGNS[sign] },
    holds: (value) => typeof value === 'number' && Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER,
  });

const MinorUnits = (): PropertyDecorator => all(IsInt(), Min(Number.MIN_SAFE_INTEGER), Max(Number.MAX_SAFE_INTEGER));

/** `{ "amount": 11900, "currencyCode": "EUR" }`: integer minor units. */
export class MoneyDto {
  @MinorUnits()
  amount!: number;
  @CurrencyCode()
  currencyCode!: string;
}

/** A price per unit; `precision` is the number of decimals of `amount`, the currency's when absent. */
export class UnitPriceDto extends MoneyDto {
  @OptionalField()
  @IsInt()
  @Min(0)
  @Max(12)
  precision?: number | null;
}

export const MoneyField = (): PropertyDecorator => Nested(() => MoneyDto);
export const UnitPriceField = (): PropertyDecorator => Nested(() => UnitPriceDto);
