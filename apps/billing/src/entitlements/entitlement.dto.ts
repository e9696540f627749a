import { hasAtMost } from '@kontor/kernel';
import { Describe, FieldCheck, InstantString, OptionalField, ReadOnly, RequiredField, Uuid } from '@kontor/service-kit';
import { IsBoolean, IsIn } from 'class-validator';
import { FEATURE_TYPES, type FeatureType, MAX_LEVELS } from '../domain/entitlements/feature-config.js';
import { TextField } from '../fields.js';

export const FEATURE_STATUSES = ['draft', 'active', 'archived'] as const;
const MAX_DESCRIPTION = 2000;

const LEVEL_VALUE = { type: ['string', 'number'], maxLength: 255 };
const BOUND = { type: ['string', 'number', 'null'], maxLength: 40 };

/** A list of levels or a range; the type of the feature says which, so the use case checks it. */
const ConfigField = (): PropertyDecorator =>
  FieldCheck({
    code: 'invalid_config',
    message: 'must be a list of levels or a range',
    types: ['object', 'array'],
    schema: {
      maxItems: MAX_LEVELS,
      anyOf: [
        {
          type: 'array',
          maxItems: MAX_LEVELS,
          items: {
            type: 'object',
            required: ['value'],
            properties: { value: LEVEL_VALUE, label: { type: ['string', 'null'], maxLength: 255 } },
          },
        },
        {
          type: 'object',
          properties: {
            min: BOUND,
            max: BOUND,
            step: BOUND,
            allowUnlimitedMin: { type: 'boolean' },
            allowUnlimitedMax: { type: 'boolean' },
          },
        },
      ],
    },
    holds: (value) => typeof value === 'object' && value !== null && JSON.stringify(value).length <= 100_000,
  });

/** What a customer is entitled to: the type of the feature says what it may be. */
const ValueField = (): PropertyDecorator =>
  FieldCheck({
    code: 'invalid_value',
    message: 'must be true, false, a number or a text of at most 255 characters',
    types: ['string', 'number', 'boolean'],
    schema: { maxLength: 255 },
    holds: (value) => typeof value !== 'string' || hasAtMost(value, 255),
  });

/** Body of `PUT /entitlement/features/{id}`. The type is fixed, the status has an operation of its own. */
export class FeatureDto {
  @ReadOnly() id?: string;
  @ReadOnly() status?: string;
  @ReadOnly() type?: FeatureType;
  @ReadOnly() productAssignmentsCount?: number;
  @ReadOnly() productPriceAssignmentsCount?: number;
  @ReadOnly() entitlementsCount?: number;
  @ReadOnly() createdAt?: string;
  @ReadOnly() updatedAt?: string;
  @RequiredField() @TextField() name!: string;
  @OptionalField() @TextField({ max: MAX_DESCRIPTION, blank: true }) description?: string | null;
  @OptionalField()
  @ConfigField()
  @Describe(
    'Required for custom and quantity, as a list of levels `{value, label}` (`unlimited` is a level of a quantity), and for range, as ' +
      '`{min, max, step, allowUnlimitedMin, allowUnlimitedMax}`. A switch has none.',
  )
  config?: unknown;
  @OptionalField() @Uuid() @Describe('Id of a unit.') unit?: string | null;
  @OptionalField()
  @Uuid()
  @Describe('For quantity and range: the usage metric that counts how much of it is used.')
  usageMetric?: string | null;
}

/** Body of `POST /entitlement/features`. */
export class NewFeatureDto {
  @OptionalField()
  @FieldCheck({
    code: 'invalid_slug',
    message: 'must have 1 to 100 letters, digits, dots, hyphens and underscores, a letter or digit first',
    types: ['string'],
    schema: { pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$' },
    holds: (value) => typeof value === 'string' && /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(value),
  })
  @Describe('A slug of your own, unique; generated when absent.')
  id?: string | null;
  @RequiredField() @TextField() name!: string;
  @RequiredField() @IsIn(FEATURE_TYPES) type!: FeatureType;
  @OptionalField() @IsIn(['draft', 'active']) @Describe('draft when absent.') status?: 'draft' | 'active' | null;
  @OptionalField() @TextField({ max: MAX_DESCRIPTION, blank: true }) description?: string | null;
  @OptionalField()
  @ConfigField()
  @Describe('Required for custom, quantity (levels) and range. A switch has none.')
  config?: unknown;
  @OptionalField() @Uuid() @Describe('Id of a unit.') unit?: string | null;
  @OptionalField()
  @Uuid()
  @Describe('For quantity and range: the usage metric that counts how much of it is used.')
  usageMetric?: string | null;
}

export class FeatureStatusDto {
  @RequiredField() @IsIn(['active', 'archived']) status!: 'active' | 'archived';
}

class ValidityDto {
  @RequiredField() @TextField({ max: 100 }) @Describe('Id of the feature.') feature!: string;
  @OptionalField()
  @ValueField()
  @Describe('What the type of the feature allows; for a switch true when absent, else required.')
  value?: unknown;
  @OptionalField() @InstantString() @Describe('From when on it holds; absent: at once.') validFrom?: string | null;
  @OptionalField() @InstantString() @Describe('The instant at which it expires; absent: never.') validUntil?:
    string | null;
}

/** Body of a grant to a customer, a subscription or an item. */
export class GrantDto extends ValidityDto {
  @OptionalField() @IsBoolean() @Describe('False: disabled until it is enabled. True when absent.') active?:
    boolean | null;
}

/** Body of `POST /entitlement/feature-assignments`. */
export class AssignmentDto extends ValidityDto {
  @RequiredField() @IsIn(['product', 'product-price']) object!: 'product' | 'product-price';
  @RequiredField() @Uuid() @Describe('Of the product, or of the price plan.') objectId!: string;
}

export class EntitlementStatusDto {
  @RequiredField() @IsBoolean() active!: boolean;
}
