import { Injectable } from '@nestjs/common';
import { DomainError, unknownReference, validationFailed } from '@kontor/kernel';
import { formatDecimal } from '@kontor/money';
import { Database, Replicas, type TenantTx } from '@kontor/persistence';
import { inTurns } from '@kontor/service-kit';
import { FindCustomers } from '../customers/find-customers.js';
import { coverPeriod } from '../domain/measurement/cover-period.js';
import type { Span } from '../domain/metrics/calendar-buckets.js';
import { needsRawEvents } from '../domain/metrics/metric.js';
import { Tally } from '../domain/measurement/tally.js';
import type { MeasuredMetric, Tallies } from '../measurement/measurement-query.js';
import { measure } from '../measurement/measure.js';
import { mergeGroups, valuesByGroup } from '../measurement/measure-usage.js';
import { readExactness } from '../measurement/read-exactness.js';
import { readRollups } from '../measurement/read-rollups.js';
import { type UsageMetricQuery, periodOf } from './read-usage-query.js';
import { zoneOfTenant, zonesOfCustomers } from '../customers/time-zones.js';
import { getMetric } from './usage-metric.read.js';
import type { UsageValues } from './usage-metric.schema.js';
import { boundedRead } from '../query-support/bounded-read.js';
import { measuredMetric } from '../measurement/find-metrics.js';

/** Values in one answer. */
const MAX_VALUES = 10_000;
/** Events whose single values an answer may need at once. */
const MAX_HELD_EVENTS = 2_000_000;
/** Levels of customers and groups, times the parts of the period in which they are held. */
const MAX_HELD_LEVELS = 500_000;

/**
 * A metric's usage over time. All of it is read from one snapshot, so the parts agree with the total.
 * @throws DomainError 404 `not_found`, 400 `invalid_request`, 422 `unknown_reference`, `validation_failed`,
 * `too_many_buckets`, `too_many_groups`, `too_many_events`, `query_too_large`
 */
@Injectable()
export class QueryUsage {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
    private readonly findCustomers: FindCustomers,
  ) {}

  execute(tenantId: string, metricId: string, asked: UsageMetricQuery): Promise<UsageValues> {
    return boundedRead(this.database, tenantId, async (tx) => {
      const metric = measuredMetric(await getMetric(tx, metricId));
      checkGroups(metric, asked.groupBy);
      const customerId =
        asked.customer === null ? null : (await this.findCustomers.execute(tx, [asked.customer])).get(asked.customer);
      if (customerId === undefined) throw unknownReference('customerId', 'customer');
      const zone =
        customerId === null
          ? await zoneOfTenant(tx, this.replicas)
          : (await zonesOfCustomers(tx, [customerId])).get(customerId)!;
      const { period, parts } = periodOf(asked, zone, tx.now);
      if (needsRawEvents(metric.aggregationType)) await refuseTooMany(tx, metric, customerId, period);
      const found = await measure(
        tx,
        parts.map((part) => ({ ...part, metric, customerId })),
        { heldLevels: MAX_HELD_LEVELS },
      );
      const values = await inTurns(valuesOf(metric, asked.groupBy, period, parts, found));
      const isExact = await readExactness(tx);
      return { ...values, exact: parts.every((part) => isExact(metric, part)) };
    });
  }
}

function checkGroups(metric: MeasuredMetric, groupBy: readonly string[]): void {
  const unknown = groupBy.find((path) => !metric.groupBy.includes(path));
  if (unknown === undefined && new Set(groupBy).size === groupBy.length) return;
  throw validationFailed('groupBy', 'The groups asked for must be some of the metric’s groupBy, each once.');
}

function* valuesOf(
  metric: MeasuredMetric,
  groupBy: readonly string[],
  period: Span,
  parts: readonly Span[],
  found: readonly Tallies[],
): Generator<void, Pick<UsageValues, 'data' | 'total'>> {
  const data: UsageValues['data'] = [];
  const sum = new Tally();
  for (const [i, part] of parts.entries()) {
    const span = { from: new Date(part.from).toISOString(), to: new Date(part.to).toISOString() };
    const length = part.to - part.from;
    const whole = all(found[i]!, metric);
    if (groupBy.length === 0) data.push({ ...span, value: formatDecimal(whole.value(metric, length)), group: {} });
    else
      for (const { group, value } of valuesByGroup(found[i]!, metric, groupBy, length))
        data.push({ ...span, value, group });
    if (data.length > MAX_VALUES)
      throw new DomainError('too_many_groups', {
        detail: `The answer would have more than ${MAX_VALUES} values: ask for a shorter period or fewer groups.`,
      });
    sum.merge(whole);
    yield;
  }
  return { data, total: formatDecimal(sum.value(metric, period.to - period.from)) };
}

const all = (tallies: Tallies, metric: MeasuredMetric): Tally =>
  mergeGroups(tallies, metric, []).get('[]') ?? new Tally();

/** Such values are held in memory until they are counted. Rollups know how many there are. */
async function refuseTooMany(
  tx: TenantTx,
  metric: MeasuredMetric,
  customerId: string | null,
  period: Span,
): Promise<void> {
  const spans = coverPeriod(period, metric).rollups.map((span) => ({ ...span, rollupId: metric.rollupId, customerId }));
  const sums = await readRollups(tx, 'sums', spans);
  if (sums.reduce((count, sum) => count + Number(sum.count), 0) > MAX_HELD_EVENTS)
    throw new DomainError('too_many_events', {
      detail: `${metric.aggregationType} of more than ${MAX_HELD_EVENTS} events: choose a shorter period or one customer.`,
    });
}
