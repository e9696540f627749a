import { Injectable } from '@nestjs/common';
import { unknownReference } from '@kontor/kernel';
import { formatDecimal } from '@kontor/money';
import type { TenantTx } from '@kontor/persistence';
import { needsRawEvents } from '../domain/metrics/metric.js';
import { groupOf, projectGroup } from '../domain/metrics/sample-event.js';
import { Tally } from '../domain/metrics/tally.js';
import { findMetrics } from './find-metrics.js';
import { type Ask, measure, type MeasuredMetric, type Tallies, tallyOf } from './measure.js';

export interface UsageAsk {
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

/** Asks that hold every value until they are answered are answered so many at a time. */
const HEAVY_ASKS = 25;

/**
 * How much customers used of metrics, for any number of customers by a few statements. Always exact: rollups where they are true,
 * else the events themselves. Archived metrics are measured like active ones.
 */
@Injectable()
export class MeasureUsage {
  /** @throws DomainError `unknown_reference` for a metric, or a group that is not one of the metric's. */
  async execute(tx: TenantTx, asks: readonly UsageAsk[]): Promise<Map<string, GroupedUsage>> {
    const metrics = await findMetrics(tx, asks.map((ask) => ask.metricId)); // prettier-ignore
    const resolved = asks.map((ask) => ({ ask, metric: metricOf(metrics, ask) }));
    const heavy = resolved.filter(({ metric }) => needsRawEvents(metric.aggregationType));
    const batches = [resolved.filter((one) => !heavy.includes(one))];
    for (let n = 0; n < heavy.length; n += HEAVY_ASKS) batches.push(heavy.slice(n, n + HEAVY_ASKS));
    const answers = new Map<string, GroupedUsage>();
    for (const batch of batches) {
      const spans: Ask[] = batch.map(({ ask, metric }) => ({ metric, customerId: ask.customerId, from: ask.from.getTime(), to: ask.to.getTime() })); // prettier-ignore
      const found = await measure(tx, spans);
      batch.forEach(({ ask, metric }, i) => {
        const length = ask.to.getTime() - ask.from.getTime();
        answers.set(ask.key, {
          value: formatDecimal(mergeGroups(found[i]!, metric, []).get('[]')?.value(metric, length) ?? { coefficient: 0n, scale: 0 }),
          groups: ask.groupBy?.length ? valuesByGroup(found[i]!, metric, ask.groupBy, length) : [],
        });
      });
    }
    return answers;
  }
}

function metricOf(metrics: ReadonlyMap<string, MeasuredMetric>, ask: UsageAsk): MeasuredMetric {
  const metric = metrics.get(ask.metricId);
  if (!metric) throw unknownReference('usageMetric', 'usage metric');
  if (ask.groupBy?.some((path) => !metric.groupBy.includes(path))) throw unknownReference('groupBy', 'group of the usage metric');
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
  // prettier-ignore
  return [...mergeGroups(tallies, metric, wanted)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([group, tally]) => ({ group: groupOf(group, wanted), value: formatDecimal(tally.value(metric, lengthMs)) }));
}
