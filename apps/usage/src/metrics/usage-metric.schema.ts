import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { AGGREGATION_TYPES, FILTER_OPERATORS } from '../domain/metrics/metric.js';

const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);
const Scalar = Type.Union([Type.String(), Type.Number(), Type.Boolean()]);
const oneOf = (values: readonly string[]) => Type.String({ enum: [...values] });
const Instant = Type.String({ format: 'date-time' });
const Path = Type.String({ description: 'Path of a property: `bytes`, `usage.tokens`.' });

export const UsageMetric = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    code: Type.String({ description: 'Unique.' }),
    name: Type.String(),
    description: orNull(Type.String()),
    status: oneOf(['active', 'archived']),
    eventName: Type.String(),
    aggregationType: oneOf(AGGREGATION_TYPES),
    property: orNull(Path),
    percentile: orNull(Type.String({ description: 'Per cent, nearest rank.' })),
    filters: Type.Array(
      Type.Object({
        property: Path,
        operator: oneOf(FILTER_OPERATORS),
        value: Type.Unsafe<unknown>(
          Type.Union([Scalar, Type.Array(Scalar), Type.Null()], { description: 'A list for in and not_in.' }),
        ),
      }),
    ),
    groupBy: Type.Array(Path),
    unit: orNull(Type.String()),
    rounding: orNull(Type.Object({ mode: oneOf(['up', 'down', 'half_up']), scale: Type.Integer() })),
    rollup: oneOf(['day', 'hour']),
    rollupStatus: oneOf(['ready', 'building']),
    rollupBuiltFrom: orNull(
      Type.String({ format: 'date-time', description: 'While building: usage since then comes from rollups already.' }),
    ),
    createdAt: Instant,
    updatedAt: Instant,
  },
  { $id: 'UsageMetric' },
);
export type UsageMetricJson = Static<typeof UsageMetric>;

const Value = Type.String({ description: 'Decimal, rounded as the metric says.' });

export const UsageMetricValues = Type.Object(
  {
    data: Type.Array(
      Type.Object({ from: Instant, to: Instant, value: Value, group: Type.Record(Type.String(), Type.String()) }),
    ),
    total: Value,
    exact: Type.Boolean({ description: 'False when events that it needs are removed by retention already.' }),
  },
  { $id: 'UsageMetricValues' },
);
export type UsageValues = Static<typeof UsageMetricValues>;
