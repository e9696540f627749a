import type { TenantTx } from '@kontor/persistence';
import { coverPeriod } from '../domain/measurement/cover-period.js';
import type { Span } from '../domain/metrics/calendar-buckets.js';
import { needsRawEvents } from '../domain/metrics/metric.js';
import { earliestArrival } from '../partitions/arrival.js';
import { rawEventsSince } from '../partitions/raw-events-since.js';
import type { MeasuredMetric } from './measurement-query.js';

/**
 * Whether retention has removed nothing that a metric's usage of a period is measured from. Read after the usage itself:
 * whoever misses what was removed sees that it was.
 */
export async function readExactness(tx: TenantTx): Promise<(metric: MeasuredMetric, period: Span) => boolean> {
  const rawFrom = (await rawEventsSince(tx))?.getTime() ?? null;
  return (metric, period) => {
    const raw = needsRawEvents(metric.aggregationType) ? [period] : coverPeriod(period, metric).raw;
    return isThere(metric.countsFrom, period) && raw.every((span) => isThere(rawFrom, span));
  };
}

const isThere = (since: number | null, { from }: Span): boolean =>
  since === null || since <= earliestArrival(new Date(from)).getTime();
