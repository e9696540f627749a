import { Tally } from '../domain/measurement/tally.js';
import type { Rollups } from '../domain/measurement/cover-period.js';
import type { Span } from '../domain/metrics/calendar-buckets.js';
import type { MetricDefinition } from '../domain/metrics/metric.js';
import { sampler } from '../domain/metrics/sample-event.js';

/** A metric with where its rollups are. */
export interface MeasuredMetric extends MetricDefinition, Rollups {
  readonly id: string;
  readonly rollupId: string;
  /** Since when the rollups are complete: they are built from the events that are left; null: all that ever were. */
  readonly countsFrom: number | null;
}

/** One question: a metric, a customer (null: all), a period. */
export interface MeasurementQuery extends Span {
  readonly metric: MeasuredMetric;
  readonly customerId: string | null;
}

export interface MeasurementLimits {
  /** Of a weighted sum: customers and groups that hold a level, times the periods in which they do. */
  readonly heldLevels?: number;
}

/** Per group of the metric (a JSON list of its groupBy's values). */
export type Tallies = Map<string, Tally>;

export const tallyOf = (tallies: Tallies, group: string): Tally => {
  let tally = tallies.get(group);
  if (!tally) tallies.set(group, (tally = new Tally()));
  return tally;
};

const compiled = new WeakMap<MetricDefinition, ReturnType<typeof sampler>>();

/** One metric is asked for many customers and days: it is compiled once. */
export function samplerOf(metric: MetricDefinition): ReturnType<typeof sampler> {
  let sample = compiled.get(metric);
  if (!sample) compiled.set(metric, (sample = sampler(metric)));
  return sample;
}
