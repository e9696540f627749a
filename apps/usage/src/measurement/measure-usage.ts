import { Injectable } from '@nestjs/common';
import { unknownReference } from '@kontor/kernel';
import { formatDecimal } from '@kontor/money';
import type { TenantTx } from '@kontor/persistence';
import { needsRawEvents } from '../domain/metrics/metric.js';
import { groupOf, projectGroup } from '../domain/metrics/sample-event.js';
import { Tally } from '../domain/measurement/tally.js';
import { findMetrics } from './find-metrics.js';
import { measure } from './measure.js';
import { type MeasuredMetric, type MeasurementQuery, type Tallies, tallyOf } from './measurement-query.js';

export interface UsageQuery {
  /** Names the answer. */
  readonly key: string;
  readonly metricId: string;
  readonly customerId: string;
  /** Included. */
  readonly from: Date;
  /** Excluded. */
  readonly to: Date;
  /** Some of the metric's own groupBy; absent: one value. */
  readonly groupBy?: readonly string[];
}

export interface GroupedUsage {
  /** Decimal, rounded as the metric says; "0" without usage. */
  readonly value: string;
  /** The same by group, in order of the groups; empty unless asked for. */
  readonly groups: readonly { readonly group: Record<string, string>; readonly value: string }[];
}

/** Queries that hold every value until they are answered are answered so many at a time. */
const HEAVY_QUERIES = 25;

/**
 * How much customers used of metrics, for any number of customers by a few statements. Always exact: rollups where they
 * are true, else the events themselves. Archived metrics are measured like active ones.
 */
@Injectable()
export class MeasureUsage {
  /** @throws DomainError `unknown_reference` for a metric, or a group that is not one of the metric's. */
  async execute(tx: TenantTx, queries: readonly UsageQuery[]): Promise<Map<string, GroupedUsage>> {
    const metrics = await findMetrics(
      tx,
      queries.map((query) => query.metricId),
    );
    const resolved = queries.map((query) => ({ query, metric: metricOf(metrics, query) }));
    const heavy = resolved.filter(({ metric }) => needsRawEvents(metric.aggregationType));
    const batches = [resolved.filter((query) => !heavy.includes(query))];
    for (let n = 0; n < heavy.length; n += HEAVY_QUERIES) batches.push(heavy.slice(n, n + HEAVY_QUERIES));
    const answers = new Map<string, GroupedUsage>();
    for (const batch of batches) {
      const spans: MeasurementQuery[] = batch.map(({ query, metric }) => ({
        metric,
        customerId: query.customerId,
        from: query.from.getTime(),
        to: query.to.getTime(),
      }));
      const found = await measure(tx, spans);
      batch.forEach(({ query, metric }, i) => {
        const length = query.to.getTime() - query.from.getTime();
        answers.set(query.key, {
          value: formatDecimal(
            mergeGroups(found[i]!, metric, []).get('[]')?.value(metric, length) ?? { coefficient: 0n, scale: 0 },
          ),
          groups: query.groupBy?.length ? valuesByGroup(found[i]!, metric, query.groupBy, length) : [],
        });
      });
    }
    return answers;
  }
}

function metricOf(metrics: ReadonlyMap<string, MeasuredMetric>, query: UsageQuery): MeasuredMetric {
  const metric = metrics.get(query.metricId);
  if (!metric) throw unknownReference('usageMetric', 'usage metric');
  if (query.groupBy?.some((path) => !metric.groupBy.includes(path)))
    throw unknownReference('groupBy', 'group of the usage metric');
  return metric;
}

/** Merges the metric's groups to those of some of its paths; none: to one. */
export function mergeGroups(tallies: Tallies, metric: MeasuredMetric, wanted: readonly string[]): Tallies {
  const merged: Tallies = new Map<string, Tally>();
  for (const [group, tally] of tallies) tallyOf(merged, projectGroup(group, metric.groupBy, wanted)).merge(tally);
  return merged;
}

export function valuesByGroup(
  tallies: Tallies,
  metric: MeasuredMetric,
  wanted: readonly string[],
  lengthMs: number,
): { group: Record<string, string>; value: string }[] {
  return [...mergeGroups(tallies, metric, wanted)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([group, tally]) => ({ group: groupOf(group, wanted), value: formatDecimal(tally.value(metric, lengthMs)) }));
}
