import { createHash } from 'node:crypto';
import { type Decimal, formatDecimal } from '@kontor/money';
import type { ClientBase } from 'pg';
import { dayBucket, hourBucket, type Span } from '../domain/metrics/calendar-buckets.js';
import { rollupOf, type RollupState } from '../domain/rollups/rollup-state.js';
import type { Sample } from '../domain/metrics/sample-event.js';
import type { RollupMetric } from './metric-definitions.js';

interface Bucket {
  readonly metric: RollupMetric;
  readonly width: 'day' | 'hour';
  readonly customerId: string;
  readonly span: Span;
  readonly group: string;
  readonly samples: Sample[];
}

/** `$1, … $19`: see migration 0020. */
const PARAMETERS = Array.from({ length: 19 }, (_, i) => `$${i + 1}`).join(', ');

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
  private readonly known = new Map<RollupMetric, Map<string, Bucket[]>>();

  add(metric: RollupMetric, sample: Sample): void {
    let ofMetric = this.known.get(metric);
    if (!ofMetric) this.known.set(metric, (ofMetric = new Map()));
    let buckets = ofMetric.get(sample.customerId);
    if (!buckets) ofMetric.set(sample.customerId, (buckets = []));
    this.put(buckets, metric, sample, 'day');
    if (metric.rollup === 'hour') this.put(buckets, metric, sample, 'hour');
  }

  private put(buckets: Bucket[], metric: RollupMetric, sample: Sample, width: 'day' | 'hour'): void {
    const { at, group, customerId } = sample;
    for (const bucket of buckets) {
      if (bucket.span.from <= at && at < bucket.span.to && bucket.width === width && bucket.group === group) {
        bucket.samples.push(sample);
        return;
      }
    }
    const span = width === 'day' ? dayBucket(at, metric.bucketZone) : hourBucket(at);
    const bucket: Bucket = { metric, width, customerId, span, group, samples: [sample] };
    // Many groups are found by scanning, which is fast for the few that a batch has; the newest is the likeliest.
    buckets.unshift(bucket);
    this.buckets.push(bucket);
  }

  get isEmpty(): boolean {
    return this.buckets.length === 0;
  }

  all(): Iterable<Bucket> {
    return this.buckets;
  }

  /**
   * Adds the buckets to what is stored, or subtracts them; true when one became stale. In the order of the key, so that
   * two transactions never wait crosswise.
   */
  async apply(client: ClientBase, tenantId: string, change: 'add' | 'remove'): Promise<boolean> {
    if (this.isEmpty) return false;
    const keys = new Dictionary<string>((bucket) => bucket.group);
    const spans = new Dictionary<string>(({ metric, width, span }) => `${metric.rollupId}${width}${span.from}`);
    const rows = this.buckets.map((bucket) => ({
      bucket,
      key: keys.positionOf(bucket),
      span: spans.positionOf(bucket),
    }));
    const groupKeys = keys.first.map(({ group }) => groupKey(group));
    rows.sort((a, b) => inKeyOrder(a.bucket, b.bucket) || compare(groupKeys[a.key - 1]!, groupKeys[b.key - 1]!));
    const states = rows.map(({ bucket }) => rollupOf(bucket.metric.aggregationType, bucket.samples, bucket.span.to));
    const { rows: answer } = await client.query<{ stale: boolean }>({
      name: `usage_rollups_${change}`,
      text: `SELECT usage_rollups_${change}(${PARAMETERS}) AS stale`,
      values: [
        tenantId,
        spans.first.map(({ metric }) => metric.rollupId),
        spans.first.map(({ width }) => width),
        spans.first.map(({ span }) => instant(span.from)),
        spans.first.map(({ span }) => instant(span.to)),
        groupKeys,
        keys.first.map(({ group }) => group),
        arrayOf(rows.map(({ span }) => span)),
        arrayOf(rows.map(({ bucket }) => bucket.customerId)),
        arrayOf(rows.map(({ key }) => key)),
        arrayOf(states.map((state) => state.count)),
        list(states, (state) => number(state.sum)),
        list(states, (state) => number(state.min)),
        list(states, (state) => number(state.max)),
        list(states, (state) => instant(state.firstAt)),
        list(states, (state) => instant(state.lastAt)),
        list(states, (state) => state.lastId),
        list(states, (state) => number(state.lastValue)),
        list(states, (state) => number(state.integral)),
      ],
    });
    return answer[0]?.stale ?? false;
  }
}

/** What many rows share, once each; positions begin at 1, as the database counts. */
class Dictionary<Key> {
  readonly first: Bucket[] = [];
  private readonly positions = new Map<Key, number>();

  constructor(private readonly keyOf: (bucket: Bucket) => Key) {}

  positionOf(bucket: Bucket): number {
    const key = this.keyOf(bucket);
    let position = this.positions.get(key);
    if (position === undefined) this.positions.set(key, (position = this.first.push(bucket)));
    return position;
  }
}

const number = (value: Decimal | null): string | null => value && formatDecimal(value);
const instant = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

/** The values of a field, or null where no row has one. */
const list = (states: readonly RollupState[], value: (state: RollupState) => string | null): string | null => {
  const values = states.map(value);
  return values.every((value) => value === null) ? null : arrayOf(values);
};

/** An array as PostgreSQL reads it, of values without anything to escape: numbers, instants, ids. */
const arrayOf = (values: readonly (string | number | null)[]): string =>
  `{${values.map((value) => value ?? 'NULL').join()}}`;

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const inKeyOrder = (a: Bucket, b: Bucket): number =>
  compare(a.metric.rollupId, b.metric.rollupId) ||
  compare(a.width, b.width) ||
  compare(a.customerId, b.customerId) ||
  a.span.from - b.span.from;
