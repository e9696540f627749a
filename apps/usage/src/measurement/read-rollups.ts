import type { TenantTx } from '@kontor/persistence';
import { instant } from '../rollups/read-events.js';

/** Whole buckets of one rollup, of a customer or of all. */
export interface RollupSpan {
  readonly rollupId: string;
  readonly width: 'day' | 'hour';
  readonly customerId: string | null;
  readonly from: number;
  readonly to: number;
}

/**
 * What the buckets of a span and a group add up to; a stale bucket comes alone, with its customer, to be read from its
 * events.
 */
export interface RollupSum {
  n: number;
  grp: string;
  stale: boolean;
  customerId: string | null;
  bucketFrom: Date | null;
  bucketTo: Date | null;
  count: string;
  sum: string | null;
  min: string | null;
  max: string | null;
  lastAt: Date | null;
  lastId: string | null;
  lastValue: string | null;
}

/** One bucket with a stretch of levels. */
export interface LevelBucket {
  n: number;
  grp: string;
  stale: boolean;
  customerId: string;
  bucketFrom: Date;
  bucketTo: Date;
  firstAt: Date;
  lastValue: string;
  integral: string;
}

export type RollupNeed = 'sums' | 'extremes' | 'last';

const newest = (column: string): string => `(array_agg(r.${column} ORDER BY r.last_at DESC, r.last_id DESC))[1]`;
const STALE = `r.stale AS stale, CASE WHEN r.stale THEN r.customer_id END AS "customerId",
  CASE WHEN r.stale THEN r.bucket_from END AS "bucketFrom", CASE WHEN r.stale THEN r.bucket_to END AS "bucketTo"`;
const SELECT: Readonly<Record<RollupNeed, string>> = {
  sums: 'false AS stale, sum(r.count) AS count, sum(r.sum) AS sum',
  extremes: `${STALE}, sum(r.count) AS count, min(r.min) AS min, max(r.max) AS max`,
  last: `${STALE}, sum(r.count) AS count, ${newest('last_at')} AS "lastAt",
    ${newest('last_id')} AS "lastId", ${newest('last_value')} AS "lastValue"`,
};

/** Sums of any number of spans by one statement for customers and one for spans of all customers. */
export async function readRollups(tx: TenantTx, need: RollupNeed, spans: readonly RollupSpan[]): Promise<RollupSum[]> {
  const groups = need === 'sums' ? 'r.grp' : 'r.grp, r.stale, 3, 4, 5';
  return both(
    tx,
    spans,
    (condition) =>
      `SELECT r.grp, ${SELECT[need]} FROM usage_rollup r WHERE ${condition} AND r.count > 0 GROUP BY ${groups}`,
  );
}

const LEVEL = `r.grp, r.stale, r.customer_id AS "customerId", r.bucket_from AS "bucketFrom",
  r.bucket_to AS "bucketTo", r.first_at AS "firstAt", r.last_value AS "lastValue", r.integral`;

/** Buckets with levels, one by one. */
export async function readLevelBuckets(tx: TenantTx, spans: readonly RollupSpan[]): Promise<LevelBucket[]> {
  return both(
    tx,
    spans,
    (condition) => `SELECT ${LEVEL}
       FROM usage_rollup r
       WHERE ${condition} AND r.count > 0`,
  );
}

/** The latest bucket with a level that begins before a span's end, per customer and group. */
export async function readLastLevels(tx: TenantTx, spans: readonly RollupSpan[]): Promise<LevelBucket[]> {
  return both(
    tx,
    spans,
    (condition) => `SELECT DISTINCT ON (r.customer_id, r.grp_key) ${LEVEL}
       FROM usage_rollup r
       WHERE ${condition} AND r.count > 0
       ORDER BY r.customer_id, r.grp_key, r.bucket_from DESC`,
  );
}

/** Always true: lets the planner use the index that is meant for all customers, see migration 0020. */
const OF_ALL = '(r.stale OR NOT r.stale) AND';

async function both<Row>(
  tx: TenantTx,
  spans: readonly RollupSpan[],
  inner: (condition: string) => string,
): Promise<Row[]> {
  const numbered = spans.map((span, n) => ({ ...span, n }));
  const read = async (some: typeof numbered, ofCustomer: string): Promise<Row[]> => {
    if (some.length === 0) return [];
    const condition = `r.tenant_id = $1 AND r.rollup_id = s.rollup_id AND r.width = s.width
      AND ${ofCustomer} r.bucket_from >= s.lo AND r.bucket_from < s.hi`;
    return tx.query<Row>(
      `SELECT s.n, r.* FROM unnest($2::int[], $3::uuid[], $4::text[], $5::uuid[], $6::timestamptz[], $7::timestamptz[])
         AS s (n, rollup_id, width, customer_id, lo, hi) CROSS JOIN LATERAL (${inner(condition)}) r`,
      [
        tx.tenantId,
        some.map((span) => span.n),
        some.map((span) => span.rollupId),
        some.map((span) => span.width),
        some.map((span) => span.customerId),
        some.map((span) => instant(span.from)),
        some.map((span) => instant(span.to)),
      ],
    );
  };
  return [
    ...(await read(
      numbered.filter((span) => span.customerId !== null),
      'r.customer_id = s.customer_id AND',
    )),
    ...(await read(
      numbered.filter((span) => span.customerId === null),
      OF_ALL,
    )),
  ];
}
