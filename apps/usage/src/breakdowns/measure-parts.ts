import type { UsageBreakdown } from '@kontor/contracts';
import { formatDecimal } from '@kontor/money';
import type { TenantTx } from '@kontor/persistence';
import type { BreakdownPosition, UsedByGroup, UsedIn } from '../domain/breakdowns/breakdown-document.js';
import { cutByCalendar, type Span } from '../domain/metrics/calendar-buckets.js';
import { needsRawEvents } from '../domain/metrics/metric.js';
import { groupOf } from '../domain/metrics/sample-event.js';
import { Tally } from '../domain/measurement/tally.js';
import { findMetrics } from '../measurement/find-metrics.js';
import { measure } from '../measurement/measure.js';
import type { MeasuredMetric, MeasurementQuery } from '../measurement/measurement-query.js';

/** Longer periods are shown by month. */
const MAX_DAYS = 100;
const MAX_MONTHS = 600;
/** More groups of a position are not shown. */
const MAX_GROUPS = 20;
/** Queries at once; fewer of those that hold every value until they are answered. */
const QUERIES_AT_ONCE = 2_000;
const HEAVY_QUERIES_AT_ONCE = 25;

type Measured = UsageBreakdown['positions'][number];

/** Positions of one page. */
export interface PageToMeasure {
  readonly customerId: string;
  readonly timeZone: string;
  readonly positions: readonly Measured[];
}

interface PartQuery extends MeasurementQuery {
  readonly position: Measured;
  readonly tallied: (value: string, events: number, groups: readonly UsedByGroup[]) => void;
}

/**
 * Divides the usage of positions into days (or months) of the customer's zone, for any number of pages by a few
 * statements.
 */
export async function measureParts(tx: TenantTx, pages: readonly PageToMeasure[]): Promise<BreakdownPosition[][]> {
  const metrics = await findMetrics(
    tx,
    pages.flatMap((page) => page.positions.map(({ usage }) => usage.metricId)),
  );
  const queries: PartQuery[] = [];
  const measured = pages.map(({ customerId, timeZone, positions }) =>
    positions.map((position): BreakdownPosition => {
      const metric = metrics.get(position.usage.metricId);
      const { granularity, spans } = cut(position, timeZone);
      const parts: UsedIn[] = [];
      if (metric) {
        spans.forEach(({ from, to }, index) => {
          const tallied: PartQuery['tallied'] = (value, events, groups) => {
            const part = { from: new Date(from).toISOString(), to: new Date(to).toISOString(), value, events };
            parts[index] = groups.length > 0 ? { ...part, groups } : part;
          };
          queries.push({ metric, customerId, from, to, position, tallied });
        });
      }
      return { ...position, granularity, additive: metric !== undefined && isAdditive(metric), parts };
    }),
  );
  const heavy = queries.filter(({ metric }) => needsRawEvents(metric.aggregationType));
  await answer(
    tx,
    queries.filter((query) => !heavy.includes(query)),
    QUERIES_AT_ONCE,
  );
  await answer(tx, heavy, HEAVY_QUERIES_AT_ONCE);
  return measured.map((positions) =>
    positions.map((position) => (groupsOf(position) > MAX_GROUPS ? withoutGroups(position) : position)),
  );
}

const groupsOf = ({ parts }: BreakdownPosition): number =>
  new Set(parts.flatMap(({ groups = [] }) => groups.map(({ group }) => JSON.stringify(Object.values(group))))).size;

const withoutGroups = (position: BreakdownPosition): BreakdownPosition => ({
  ...position,
  parts: position.parts.map(({ groups: _tooMany, ...part }) => part),
});

function cut({ usage }: Measured, timeZone: string): { granularity: 'day' | 'month'; spans: Span[] } {
  const span = { from: Date.parse(usage.from), to: Date.parse(usage.to) };
  const days = cutByCalendar(span, 'day', timeZone, MAX_DAYS);
  return days
    ? { granularity: 'day', spans: days }
    : { granularity: 'month', spans: cutByCalendar(span, 'month', timeZone, MAX_MONTHS) ?? [] };
}

/** A sum of rounded parts need not be the rounded sum. */
const isAdditive = ({ aggregationType, rounding }: MeasuredMetric): boolean =>
  aggregationType === 'count' || (aggregationType === 'sum' && rounding === null);

async function answer(tx: TenantTx, queries: readonly PartQuery[], atOnce: number): Promise<void> {
  for (let n = 0; n < queries.length; n += atOnce) {
    const some = queries.slice(n, n + atOnce);
    const found = await measure(tx, some);
    some.forEach((query, index) => {
      const { metric, position, from, to } = query;
      const whole = new Tally();
      const used: [string, Tally][] = [...found[index]!].filter(([key]) => isOf(key, metric, position.usage.group));
      for (const [, tally] of used) whole.merge(tally);
      const split = metric.groupBy.length > 0 && !position.usage.group && used.length <= MAX_GROUPS;
      const valueOf = (tally: Tally): string => formatDecimal(tally.value(metric, to - from));
      const groups = (split ? used : [])
        .map(([key, tally]) => ({
          group: groupOf(key, metric.groupBy),
          value: valueOf(tally),
          events: Number(tally.count),
        }))
        .sort(byGroup);
      query.tallied(valueOf(whole), Number(whole.count), groups);
    });
  }
}

const byGroup = (a: UsedByGroup, b: UsedByGroup): number => {
  const [left, right] = [Object.values(a.group).join('\0'), Object.values(b.group).join('\0')];
  return left < right ? -1 : left > right ? 1 : 0;
};

/** Whether the usage of a metric's group belongs to the position. */
function isOf(key: string, metric: MeasuredMetric, group: Measured['usage']['group']): boolean {
  if (!group) return true;
  const values = groupOf(key, metric.groupBy);
  return Object.entries(group).every(([path, value]) => values[path] === value);
}
