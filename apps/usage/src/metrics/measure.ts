import type { TenantTx } from '@kontor/persistence';
import { coverPeriod, type Rollups } from '../domain/metrics/cover-period.js';
import type { Span } from '../domain/metrics/calendar-buckets.js';
import { type MetricDefinition, needsRawEvents } from '../domain/metrics/metric.js';
import { sampler } from '../domain/metrics/sample-event.js';
import { anyDecimal, Tally } from '../domain/metrics/tally.js';
import { measureLevels } from './measure-levels.js';
import { type EventSpan, readEvents } from './read-events.js';
import { readRollups, type RollupNeed, type RollupSpan, type RollupSum } from './read-rollups.js';

/** A metric with where its rollups are. */
export interface MeasuredMetric extends MetricDefinition, Rollups {
  readonly id: string;
  readonly rollupId: string;
}

/** One question: a metric, a customer (null: all), a period. */
export interface Ask extends Span {
  readonly metric: MeasuredMetric;
  readonly customerId: string | null;
}

/** Per group of the metric (a JSON list of its groupBy's values). */
export type Tallies = Map<string, Tally>;

const NEEDS: Partial<Record<MetricDefinition['aggregationType'], RollupNeed>> = {
  count: 'sums', sum: 'sums', average: 'sums', min: 'extremes', max: 'extremes', last_value: 'last',
}; // prettier-ignore

export const tallyOf = (tallies: Tallies, group: string): Tally => {
  let tally = tallies.get(group);
  if (!tally) tallies.set(group, (tally = new Tally()));
  return tally;
};

/** Answers any number of questions by a few statements: whole buckets from rollups, edges and stale buckets from the events. */
export async function measure(tx: TenantTx, asks: readonly Ask[]): Promise<Tallies[]> {
  const answers: Tallies[] = asks.map(() => new Map<string, Tally>());
  const raw: (EventSpan & { readonly ask: number; readonly group: string | null })[] = [];
  const fromRollups = new Map<RollupNeed, (RollupSpan & { readonly ask: number })[]>();
  const levels: number[] = [];
  asks.forEach((ask, i) => {
    const { metric, customerId } = ask;
    const { eventName, rollupId } = metric;
    if (metric.aggregationType === 'weighted_sum') return void levels.push(i);
    const need = NEEDS[metric.aggregationType];
    const cover = need === undefined || needsRawEvents(metric.aggregationType) ? { rollups: [], raw: [ask] } : coverPeriod(ask, metric);
    for (const { from, to } of cover.raw) raw.push({ ask: i, group: null, eventName, customerId, from, to });
    if (need === undefined) return;
    const spans = fromRollups.get(need) ?? [];
    fromRollups.set(need, spans);
    for (const { from, to, width } of cover.rollups) spans.push({ ask: i, rollupId, width, customerId, from, to });
  });

  for (const [need, spans] of fromRollups) {
    for (const sum of await readRollups(tx, need, spans)) {
      const { ask } = spans[sum.n]!;
      if (!sum.stale) addSum(tallyOf(answers[ask]!, sum.grp), sum);
      else raw.push({ ask, group: sum.grp, eventName: asks[ask]!.metric.eventName, customerId: sum.customerId, from: sum.bucketFrom!.getTime(), to: sum.bucketTo!.getTime() }); // prettier-ignore
    }
  }
  const samplers = asks.map(({ metric }) => samplerOf(metric));
  await readEvents(tx, raw, (event) => {
    const { ask, group } = raw[event.n]!;
    const sample = samplers[ask]!(event);
    if (sample && (group === null || group === sample.group)) tallyOf(answers[ask]!, sample.group).add(asks[ask]!.metric, sample);
  });
  if (levels.length > 0) {
    const found = await measureLevels(tx, levels.map((i) => asks[i]!)); // prettier-ignore
    levels.forEach((i, n) => (answers[i] = found[n]!));
  }
  return answers;
}

const compiled = new WeakMap<MetricDefinition, ReturnType<typeof sampler>>();

/** One metric is asked for many customers and days: it is compiled once. */
export function samplerOf(metric: MetricDefinition): ReturnType<typeof sampler> {
  let sample = compiled.get(metric);
  if (!sample) compiled.set(metric, (sample = sampler(metric)));
  return sample;
}

function addSum(tally: Tally, row: RollupSum): void {
  const other = new Tally();
  other.count = BigInt(row.count);
  if (row.sum) other.sum = anyDecimal(row.sum);
  other.widen(row.min ? anyDecimal(row.min) : null, row.max ? anyDecimal(row.max) : null);
  if (row.lastAt && row.lastId && row.lastValue) other.follow({ at: row.lastAt.getTime(), id: row.lastId, value: anyDecimal(row.lastValue) }); // prettier-ignore
  tally.merge(other);
}
