import type { TenantTx } from '@kontor/persistence';
import { coverPeriod } from '../domain/measurement/cover-period.js';
import { type MetricDefinition, needsRawEvents } from '../domain/metrics/metric.js';
import { anyDecimal, Tally } from '../domain/measurement/tally.js';
import {
  type MeasurementLimits,
  type MeasurementQuery,
  samplerOf,
  type Tallies,
  tallyOf,
} from './measurement-query.js';
import { measureLevels } from './measure-levels.js';
import { type EventSpan, readEvents } from '../rollups/read-events.js';
import { readRollups, type RollupNeed, type RollupSpan, type RollupSum } from './read-rollups.js';

const NEEDS: Partial<Record<MetricDefinition['aggregationType'], RollupNeed>> = {
  count: 'sums',
  sum: 'sums',
  average: 'sums',
  min: 'extremes',
  max: 'extremes',
  last_value: 'last',
};

/**
 * Answers any number of questions by a few statements: whole buckets from rollups, edges and stale buckets from the
 * events.
 * @throws DomainError `too_many_groups` where there are limits
 */
export async function measure(
  tx: TenantTx,
  queries: readonly MeasurementQuery[],
  limits: MeasurementLimits = {},
): Promise<Tallies[]> {
  const answers: Tallies[] = queries.map(() => new Map<string, Tally>());
  const raw: (EventSpan & { readonly query: number; readonly group: string | null })[] = [];
  const fromRollups = new Map<RollupNeed, (RollupSpan & { readonly query: number })[]>();
  const levels: number[] = [];
  queries.forEach((query, i) => {
    const { metric, customerId } = query;
    const { eventName, rollupId } = metric;
    if (metric.aggregationType === 'weighted_sum') return void levels.push(i);
    const need = NEEDS[metric.aggregationType];
    const cover =
      need === undefined || needsRawEvents(metric.aggregationType)
        ? { rollups: [], raw: [query] }
        : coverPeriod(query, metric);
    for (const { from, to } of cover.raw) raw.push({ query: i, group: null, eventName, customerId, from, to });
    if (need === undefined) return;
    const spans = fromRollups.get(need) ?? [];
    fromRollups.set(need, spans);
    for (const { from, to, width } of cover.rollups) spans.push({ query: i, rollupId, width, customerId, from, to });
  });

  for (const [need, spans] of fromRollups) {
    for (const sum of await readRollups(tx, need, spans)) {
      const { query } = spans[sum.n]!;
      if (!sum.stale) addSum(tallyOf(answers[query]!, sum.grp), sum);
      else
        raw.push({
          query,
          group: sum.grp,
          eventName: queries[query]!.metric.eventName,
          customerId: sum.customerId,
          from: sum.bucketFrom!.getTime(),
          to: sum.bucketTo!.getTime(),
        });
    }
  }
  const samplers = queries.map(({ metric }) => samplerOf(metric));
  await readEvents(tx, raw, (event) => {
    const { query, group } = raw[event.n]!;
    const sample = samplers[query]!(event);
    if (sample && (group === null || group === sample.group))
      tallyOf(answers[query]!, sample.group).add(queries[query]!.metric, sample);
  });
  if (levels.length > 0) {
    const found = await measureLevels(
      tx,
      levels.map((i) => queries[i]!),
      limits,
    );
    levels.forEach((i, n) => (answers[i] = found[n]!));
  }
  return answers;
}

function addSum(tally: Tally, row: RollupSum): void {
  const other = new Tally();
  other.count = BigInt(row.count);
  if (row.sum) other.sum = anyDecimal(row.sum);
  other.widen(row.min ? anyDecimal(row.min) : null, row.max ? anyDecimal(row.max) : null);
  if (row.lastAt && row.lastId && row.lastValue)
    other.follow({ at: row.lastAt.getTime(), id: row.lastId, value: anyDecimal(row.lastValue) });
  tally.merge(other);
}
