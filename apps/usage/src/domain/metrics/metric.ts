import type { Rounding } from '@kontor/money';

export const AGGREGATION_TYPES = [
  'count',
  'count_unique',
  'sum',
  'max',
  'min',
  'last_value',
  'average',
  'percentile',
  'weighted_sum',
] as const;
export type AggregationType = (typeof AGGREGATION_TYPES)[number];

export const FILTER_OPERATORS = ['eq', 'neq', 'in', 'not_in', 'gt', 'lt', 'exists'] as const;
export type FilterOperator = (typeof FILTER_OPERATORS)[number];

export type FilterScalar = string | number | boolean;

/** A condition on one property; an event counts when all conditions of its metric hold. */
export interface MetricFilter {
  readonly property: string;
  readonly operator: FilterOperator;
  /** A list for `in` and `not_in`; true (default) or false for `exists`. */
  readonly value: FilterScalar | readonly FilterScalar[] | null;
}

/** How a value is shown and billed; without it, sums are exact and quotients have {@link QUOTIENT_SCALE} decimals. */
export interface MetricRounding {
  readonly mode: Rounding;
  readonly scale: number;
}

/** Decimals of an average or a weighted sum of a metric without rounding, half away from zero. */
export const QUOTIENT_SCALE = 12;

/** What is counted: everything that decides a metric's value. */
export interface MetricDefinition {
  readonly eventName: string;
  readonly aggregationType: AggregationType;
  /** Path of the property that is aggregated, names joined by dots; null: the events themselves are counted. */
  readonly property: string | null;
  /** 0 < p ≤ 100, a plain decimal; null but for `percentile`. */
  readonly percentile: string | null;
  readonly filters: readonly MetricFilter[];
  /** Paths whose values divide the metric's usage into groups. */
  readonly groupBy: readonly string[];
  readonly rounding: MetricRounding | null;
}

/** Aggregations whose value needs every single event: their rollups hold only how many there were. */
export const needsRawEvents = (type: AggregationType): boolean => type === 'count_unique' || type === 'percentile';
