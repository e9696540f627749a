import { dayOf, unknownReference } from '@kontor/kernel';
import { formatDecimal } from '@kontor/money';
import type { TenantTx } from '@kontor/persistence';
import { cutByCalendar } from '../domain/metrics/calendar-buckets.js';
import { Tally } from '../domain/metrics/tally.js';
import { findMetrics } from './find-metrics.js';
import { measure } from './measure.js';
import { mergeGroups, valuesByGroup } from './measure-usage.js';
import { zonesOfCustomers } from './time-zones.js';

export interface DailyUsage {
  /** Local day of the customer's time zone, `YYYY-MM-DD`. */
  readonly day: string;
  readonly from: Date;
  readonly to: Date;
  /** Decimal, rounded as the metric says; "0" without usage. */
  readonly value: string;
  readonly groups: readonly { readonly group: Record<string, string>; readonly value: string }[];
}

export interface DailyUsageAsk {
  readonly metricId: string;
  readonly customerId: string;
  readonly from: Date;
  readonly to: Date;
  readonly groupBy?: readonly string[];
}

const MAX_DAYS = 2_000;

/**
 * What a customer used day by day of its calendar; first and last day are cut at the period's ends. For additive metrics the exact days
 * add up to the period; maxima, averages and the like are each day's own.
 * @throws DomainError `unknown_reference`; RangeError for more than 2,000 days.
 */
export async function dailyUsage(tx: TenantTx, ask: DailyUsageAsk): Promise<DailyUsage[]> {
  const metric = (await findMetrics(tx, [ask.metricId])).get(ask.metricId);
  if (!metric) throw unknownReference('usageMetric', 'usage metric');
  const zone = (await zonesOfCustomers(tx, [ask.customerId])).get(ask.customerId)!;
  const days = cutByCalendar({ from: ask.from.getTime(), to: ask.to.getTime() }, 'day', zone, MAX_DAYS);
  if (!days) throw new RangeError(`a period of more than ${MAX_DAYS} days`);
  const found = await measure(tx, days.map((day) => ({ ...day, metric, customerId: ask.customerId }))); // prettier-ignore
  return days.map((day, i) => {
    const tallies = found[i]!;
    const length = day.to - day.from;
    return {
      day: dayOf(new Date(day.from), zone),
      from: new Date(day.from),
      to: new Date(day.to),
      value: formatDecimal((mergeGroups(tallies, metric, []).get('[]') ?? new Tally()).value(metric, length)),
      groups: ask.groupBy?.length ? valuesByGroup(tallies, metric, ask.groupBy, length) : [],
    };
  });
}
