import type { UsageBreakdown } from '@kontor/contracts';
import { formatDecimal } from '@kontor/money';
import type { TenantTx } from '@kontor/persistence';
import type { BreakdownPosition, UsedByGroup, UsedIn } from '../domain/breakdown/breakdown-document.js';
import { cutByCalendar, type Span } from '../domain/metrics/calendar-buckets.js';
import { needsRawEvents } from '../domain/metrics/metric.js';
import { groupOf } from '../domain/metrics/sample-event.js';
import { Tally } from '../domain/metrics/tally.js';
import { findMetrics } from '../metrics/find-metrics.js';
import { type Ask, measure, type MeasuredMetric } from '../metrics/measure.js';

/** Longer periods are shown by month. */
const MAX_DAYS = 100;
const MAX_MONTHS = 600;
/** More groups of a position are not told apart. */
const MAX_GROUPS = 20;
/** Asks of one go; those that keep every value until they are answered, fewer. */
const ASKS_AT_ONCE = 2_000;
const HEAVY_AT_ONCE = 25;

type Measured = UsageBreakdown['positions'][number];

/** Positions of one page. */
export interface PageToMeasure {
  readonly customerId: string;
  readonly timeZone: string;
  readonly positions: readonly Measured[];
}

interface PartAsk extends Ask {
  readonly position: Measured;
  readonly tallied: (value: string, events: number, groups: readonly UsedByGroup[]) => void;
}

/** Divides the usage of positions into days (or months) of the customer's zone, for any number of pages by a few statements. */
export async function measureParts(tx: TenantTx, pages: readonly PageToMeasure[]): Promise<BreakdownPosition[][]> {
  const metrics = await findMetrics(tx, pages.flatMap((page) => page.positions.map(({ usage }) => usage.metricId))); // prettier-ignore
  const asks: PartAsk[] = [];
  const measured = pages.map(({ customerId, timeZone, positions }) =>
    positions.map((position): BreakdownPosition => {
      const metric = metrics.get(position.usage.metricId);
      const { granularity, spans } = cut(position, timeZone);
      const parts: UsedIn[] = [];
      if (metric) {
        spans.forEach(({ from, to }, index) => {
          const tallied: PartAsk['tallied'] = (value, events, groups) => {
            const part = { from: new Date(from).toISOString(), to: new Date(to).toISOString(), value, events };
            parts[index] = groups.length > 0 ? { ...part, groups } : part;
          };
          asks.push({ metric, customerId, from, to, position, tallied });
        });
      }
      return { ...position, granularity, additive: metric !== undefined && isAdditive(metric), parts };
    }),
  );
  const heavy = asks.filter(({ metric }) => needsRawEvents(metric.aggregationType));
  await answer(tx, asks.filter((ask) => !heavy.includes(ask)), ASKS_AT_ONCE); // prettier-ignore
  await answer(tx, heavy, HEAVY_AT_ONCE);
  return measured.map((positions) => positions.map((position) => (groupsOf(position) > MAX_GROUPS ? withoutGroups(position) : position)));
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
  return days ? { granularity: 'day', spans: days } : { granularity: 'month', spans: cutByCalendar(span, 'month', timeZone, MAX_MONTHS) ?? [] }; // prettier-ignore
}

/** A sum of rounded parts need not be the rounded sum. */
const isAdditive = ({ aggregationType, rounding }: MeasuredMetric): boolean =>
  aggregationType === 'count' || (aggregationType === 'sum' && rounding === null);

async function answer(tx: TenantTx, asks: readonly PartAsk[], atOnce: number): Promise<void> {
  for (let n = 0; n < asks.length; n += atOnce) {
    const some = asks.slice(n, n + atOnce);
    const found = await measure(tx, some);
    some.forEach((ask, index) => {
      const { metric, position, from, to } = ask;
      const whole = new Tally();
      const used: [string, Tally][] = [...found[index]!].filter(([key]) => isOf(key, metric, position.usage.group));
      for (const [, tally] of used) whole.merge(tally);
      const split = metric.groupBy.length > 0 && !position.usage.group && used.length <= MAX_GROUPS;
      const valueOf = (tally: Tally): string => formatDecimal(tally.value(metric, to - from));
      const groups = (split ? used : []).map(([key, tally]) => ({ group: groupOf(key, metric.groupBy), value: valueOf(tally), events: Number(tally.count) })).sort(byGroup); // prettier-ignore
      ask.tallied(valueOf(whole), Number(whole.count), groups);
    });
  }
}

const byGroup = (a: UsedByGroup, b: UsedByGroup): number => {
  const [one, other] = [Object.values(a.group).join('\0'), Object.values(b.group).join('\0')];
  return one < other ? -1 : one > other ? 1 : 0;
};

/** Whether the usage of a metric's group belongs to the position. */
function isOf(key: string, metric: MeasuredMetric, group: Measured['usage']['group']): boolean {
  if (!group) return true;
  const values = groupOf(key, metric.groupBy);
  return Object.entries(group).every(([path, value]) => values[path] === value);
}
