import { hasAtMost } from '@kontor/kernel';
import {
  BodyExample,
  decimalPattern,
  FieldCheck,
  Nested,
  NestedList,
  OptionalField,
  ReadOnly,
  RequiredField,
} from '@kontor/service-kit';
import { ArrayMaxSize, ArrayUnique, IsIn, IsInt, IsString, Max, MaxLength, Min } from 'class-validator';
import { MAX_FILTER_TEXT, MAX_FILTER_VALUES, MAX_FILTERS, MAX_GROUPS } from '../domain/metrics/check-metric.js';
import {
  AGGREGATION_TYPES,
  type AggregationType,
  FILTER_OPERATORS,
  type FilterOperator,
  type MetricFilter,
} from '../domain/metrics/metric.js';
import { isPropertyPath, MAX_PATH, PROPERTY_PATH } from '../domain/metrics/read-property.js';

const MAX_TEXT = 255;

/** Text that is more than blanks. */
const Text = (max = MAX_TEXT): PropertyDecorator =>
  FieldCheck({
    code: 'invalid_length',
    message: `must have 1 to ${max} characters`,
    types: ['string'],
    schema: { minLength: 1, maxLength: max, pattern: '\\S' },
    holds: (value) => typeof value === 'string' && value.trim().length > 0 && hasAtMost(value, max),
  });

const CODE = /^[\p{L}\p{N}][\p{L}\p{N}_.-]{0,99}$/u;

const PropertyPath = (options: { each?: boolean } = {}): PropertyDecorator =>
  FieldCheck(
    {
      code: 'invalid_path',
      message: 'must be a path such as bytes or usage.tokens',
      types: ['string'],
      schema: { maxLength: MAX_PATH, pattern: PROPERTY_PATH.source },
      holds: isPropertyPath,
    },
    options,
  );

export class MetricFilterDto {
  @RequiredField() @PropertyPath() property!: string;
  @RequiredField() @IsIn(FILTER_OPERATORS) operator!: FilterOperator;
  @OptionalField()
  @FieldCheck({
    code: 'invalid_value',
    message: 'must be a text, a number, true or false, or a list of them',
    types: ['string', 'number', 'boolean', 'array'],
    schema: {
      maxItems: MAX_FILTER_VALUES,
      items: { type: ['string', 'number', 'boolean'], maxLength: MAX_FILTER_TEXT },
      maxLength: MAX_FILTER_TEXT,
      description: 'A list for in and not_in, a number for gt and lt, true (default) or false for exists.',
    },
    holds: () => true,
  })
  value?: MetricFilter['value'];
}

export class RoundingDto {
  @RequiredField() @IsIn(['up', 'down', 'half_up']) mode!: 'up' | 'down' | 'half_up';
  @RequiredField() @IsInt() @Min(0) @Max(20) scale!: number;
}

/** Body of POST and PUT: PUT replaces, what is left out gets its default. */
@BodyExample({ code: 'traffic', name: 'Traffic', eventName: 'download', aggregationType: 'sum', property: 'gb' })
export class UsageMetricDto {
  @ReadOnly() id?: string;
  @ReadOnly() status?: string;
  @ReadOnly() rollupStatus?: string;
  @ReadOnly() rollupBuiltFrom?: string | null;
  @ReadOnly() createdAt?: string;
  @ReadOnly() updatedAt?: string;

  @RequiredField()
  @FieldCheck({
    code: 'invalid_code',
    message: 'must have 1 to 100 letters, digits, _, - or ., beginning with a letter or digit',
    types: ['string'],
    schema: { pattern: CODE.source, maxLength: 100 },
    holds: (value) => typeof value === 'string' && CODE.test(value),
  })
  code!: string;

  @RequiredField() @Text() name!: string;
  @OptionalField() @IsString() @MaxLength(2000) description?: string | null;
  @RequiredField() @Text() eventName!: string;
  @RequiredField() @IsIn(AGGREGATION_TYPES) aggregationType!: AggregationType;
  @OptionalField() @PropertyPath() property?: string | null;

  @OptionalField()
  @FieldCheck({
    code: 'out_of_range',
    message: 'must be more than 0 and at most 100, with at most 6 decimals',
    types: ['string', 'number'],
    schema: {
      pattern: decimalPattern({ min: '0.000001', max: '100', scale: 6 }),
      maxLength: 40,
      exclusiveMinimum: 0,
      maximum: 100,
      description: 'Per cent, for percentile: "95" or "99.9", with at most 6 decimals.',
    },
    holds: (value) => String(value).length <= 40,
  })
  percentile?: string | number | null;

  @OptionalField() @NestedList(() => MetricFilterDto, { max: MAX_FILTERS }) filters?: MetricFilterDto[] | null;
  @OptionalField() @ArrayMaxSize(MAX_GROUPS) @ArrayUnique() @PropertyPath({ each: true }) groupBy?: string[] | null;
  @OptionalField() @Text(50) unit?: string | null;
  @OptionalField() @Nested(() => RoundingDto) rounding?: RoundingDto | null;
  /** Whether hours are kept beside days, for queries by hour and customers in other time zones. */
  @OptionalField() @IsIn(['day', 'hour']) rollup?: 'day' | 'hour' | null;
}
