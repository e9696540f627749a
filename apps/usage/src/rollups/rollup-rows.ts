import { createHash } from 'node:crypto';
import { formatDecimal } from '@kontor/money';
import type { ClientBase } from 'pg';
import { dayBucket, hourBucket, type Span } from '../domain/metrics/calendar-buckets.js';
import { rollupOf } from '../domain/metrics/rollup-state.js';
import type { Sample } from '../domain/metrics/sample-event.js';
import type { KeptMetric } from './metric-definitions.js';

interface Bucket {
  readonly metric: KeptMetric;
  readonly width: 'day' | 'hour';
  readonly customerId: string;
  readonly span: Span;
  readonly group: string;
  readonly samples: Sample[];
}

const NO_GROUP = '00000000-0000-0000-0000-000000000000';

/** Groups have any length, keys of an index have not. */
export function groupKey(group: string): string {
  if (group === '[]') return NO_GROUP;
  const hex = createHash('sha256').update(group).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}

/** Samples of several metrics, put into the buckets that they belong to. */
export class RollupRows {
  private readonly buckets: Bucket[] = [];
  /** Per metric and customer: those of one customer are few. */
  private readonly known = new Map<KeptMetric, Map<string, Bucket[]>>();

  add(metric: KeptMetric, sample: Sample): void {
    let ofMetric = this.known.get(metric);
    if (!ofMetric) this.known.set(metric, (ofMetric = new Map()));
    let own = ofMetric.get(sample.customerId);
    if (!own) ofMetric.set(sample.customerId, (own = []));
    this.put(own, metric, sample, 'day');
    if (metric.rollup === 'hour') this.put(own, metric, sample, 'hour');
  }

  private put(own: Bucket[], metric: KeptMetric, sample: Sample, width: 'day' | 'hour'): void {
    const { at, group, customerId } = sample;
    for (const bucket of own) {
      if (bucket.span.from <= at && at < bucket.span.to && bucket.width === width && bucket.group === group) {
        bucket.samples.push(sample);
        return;
      }
    }
    const span = width === 'day' ? dayBucket(at, metric.bucketZone) : hourBucket(at);
    const bucket: Bucket = { metric, width, customerId, span, group, samples: [sample] };
    // Many groups are found by scanning, which is fast for the few that a batch has; the newest is the likeliest.
    own.unshift(bucket);
    this.buckets.push(bucket);
  }

  get isEmpty(): boolean {
    return this.buckets.length === 0;
  }

  all(): Iterable<Bucket> {
    return this.buckets;
  }

  /** Adds the buckets to what is stored, or takes them away; true when one became stale. In the order of the key, so that two transactions never wait crosswise. */
  async apply(client: ClientBase, tenantId: string, change: 'add' | 'remove'): Promise<boolean> {
    if (this.isEmpty) return false;
    const rows = this.buckets.map((bucket) => ({ ...bucket, key: groupKey(bucket.group), from: new Date(bucket.span.from).toISOString() })); // prettier-ignore
    rows.sort((a, b) =>
      compare(a.metric.rollupId, b.metric.rollupId) || compare(a.width, b.width) || compare(a.customerId, b.customerId) || a.span.from - b.span.from || compare(a.key, b.key)); // prettier-ignore
    const states = rows.map((row) => rollupOf(row.metric.aggregationType, row.samples, row.span.to));
    const number = (value: Parameters<typeof formatDecimal>[0] | null): string | null => value && formatDecimal(value);
    const instant = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());
    const { rows: answer } = await client.query<{ stale: boolean }>({
      name: `usage_rollups_${change}`,
      text: `SELECT usage_rollups_${change}($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17) AS stale`,
      values: [
        tenantId,
        rows.map((row) => row.metric.rollupId),
        rows.map((row) => row.width),
        rows.map((row) => row.customerId),
        rows.map((row) => row.from),
        rows.map((row) => new Date(row.span.to).toISOString()),
        rows.map((row) => row.key),
        rows.map((row) => row.group),
        states.map((state) => state.count),
        states.map((state) => number(state.sum)),
        states.map((state) => number(state.min)),
        states.map((state) => number(state.max)),
        states.map((state) => instant(state.firstAt)),
        states.map((state) => instant(state.lastAt)),
        states.map((state) => state.lastId),
        states.map((state) => number(state.lastValue)),
        states.map((state) => number(state.integral)),
      ],
    });
    return answer[0]?.stale ?? false;
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
