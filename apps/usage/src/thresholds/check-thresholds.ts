import type { CustomerState, Notice } from '@kontor/contracts';
import { usageThresholdReachedV1 } from '@kontor/contracts';
import { compareDecimal } from '@kontor/money';
import { appendEvents } from '@kontor/messaging';
import { ReplicaReader, type TenantTx } from '@kontor/persistence';
import { monthBucket } from '../domain/metrics/calendar-buckets.js';
import { anyDecimal } from '../domain/measurement/tally.js';
import type { MeasureUsage } from '../measurement/measure-usage.js';
import { zonesOfCustomers } from '../customers/time-zones.js';
import { getThresholds } from './threshold.read.js';
import type { UsageThresholdJson } from './threshold.schema.js';
import type { UsageThresholdHitRow } from './usage-threshold-hit.row.js';
import { usageThresholds } from './usage-threshold.row.js';
import type { UsageTouchedRow } from './usage-touched.row.js';

/** Marks that one transaction checks. */
export const MARKS = 500;

type Mark = Pick<UsageTouchedRow, 'metricId' | 'customerId' | 'at'>;

interface Candidate {
  readonly thresholdId: string;
  readonly metricId: string;
  readonly customerId: string;
  readonly limit: string;
  readonly from: number;
  readonly to: number;
}

/**
 * Compares usage that changed since the last check with its thresholds, and publishes each that is reached in the
 * transaction that stores it: once per threshold, customer and month of the customer's zone. Only this month, the one
 * before (its late events) and the next count. Returns how many marks there were.
 */
export async function checkThresholds(tx: TenantTx, usage: MeasureUsage): Promise<number> {
  const marks = await tx.query<Mark>(
    `DELETE FROM usage_touched
     WHERE tenant_id = $1 AND id = ANY(ARRAY(
       SELECT id FROM usage_touched WHERE tenant_id = $1 ORDER BY id LIMIT ${MARKS} FOR UPDATE SKIP LOCKED))
     RETURNING metric_id AS "metricId", customer_id AS "customerId", at`,
    [tx.tenantId],
  );
  if (marks.length === 0) return 0;
  const candidates = await openOf(tx, await candidatesOf(tx, marks));
  const values = await usage.execute(
    tx,
    candidates.map(({ metricId, customerId, from, to }, i) => ({
      key: String(i),
      metricId,
      customerId,
      from: new Date(from),
      to: new Date(to),
    })),
  );
  const reached = candidates.flatMap((candidate, i) => {
    const { value } = values.get(String(i))!;
    return compareDecimal(anyDecimal(value), anyDecimal(candidate.limit)) >= 0 ? [{ ...candidate, value }] : [];
  });
  await publishReached(tx, await insertHits(tx, reached));
  return marks.length;
}

async function candidatesOf(tx: TenantTx, marks: readonly Mark[]): Promise<Candidate[]> {
  const metricIds = [...new Set(marks.map((mark) => mark.metricId))];
  const customerIds = [...new Set(marks.map((mark) => mark.customerId))];
  const thresholds = [
    ...(await usageThresholds.find(tx, { metricId: metricIds, customerId: null })),
    ...(await usageThresholds.find(tx, { metricId: metricIds, customerId: customerIds })),
  ];
  const zones = await zonesOfCustomers(
    tx,
    marks.map((mark) => mark.customerId),
  );
  const found = new Map<string, Candidate>();
  for (const mark of marks) {
    const zone = zones.get(mark.customerId)!;
    const month = monthBucket(mark.at.getTime(), zone);
    const earliest = monthBucket(monthBucket(tx.now.getTime(), zone).from - 1, zone).from;
    if (month.from < earliest) continue;
    for (const { id, metricId, customerId, value } of thresholds) {
      if (metricId !== mark.metricId || (customerId !== null && customerId !== mark.customerId)) continue;
      const candidate = { thresholdId: id, metricId, customerId: mark.customerId, limit: value, ...month };
      found.set(`${id} ${mark.customerId} ${month.from}`, candidate);
    }
  }
  return [...found.values()];
}

/** Those that were not reached yet: most thresholds of a busy customer were. */
async function openOf(tx: TenantTx, candidates: readonly Candidate[]): Promise<Candidate[]> {
  const rows = await tx.query<{ n: number }>(
    `SELECT c.n::int AS n
     FROM unnest($2::uuid[], $3::uuid[], $4::timestamptz[]) WITH ORDINALITY
       AS c (threshold_id, customer_id, period_from, n)
     JOIN usage_threshold_hit h ON h.tenant_id = $1 AND h.threshold_id = c.threshold_id
       AND h.customer_id = c.customer_id AND h.period_from = c.period_from`,
    [
      tx.tenantId,
      candidates.map((candidate) => candidate.thresholdId),
      candidates.map((candidate) => candidate.customerId),
      candidates.map((candidate) => new Date(candidate.from)),
    ],
  );
  const reached = new Set(rows.map((row) => row.n - 1));
  return candidates.filter((_, i) => !reached.has(i));
}

type Reached = Candidate & { readonly value: string };

/**
 * Whoever inserts the row publishes it; a check at the same time waits and then finds it. Deleted thresholds are left
 * out.
 */
async function insertHits(tx: TenantTx, reached: readonly Reached[]): Promise<Reached[]> {
  if (reached.length === 0) return [];
  const sorted = [...reached].sort((a, b) =>
    `${a.thresholdId}${a.customerId}` < `${b.thresholdId}${b.customerId}` ? -1 : 1,
  );
  const rows = await tx.query<Pick<UsageThresholdHitRow, 'thresholdId' | 'customerId' | 'periodFrom'>>(
    `INSERT INTO usage_threshold_hit (tenant_id, threshold_id, customer_id, period_from, period_to, value, reached_at)
     SELECT $1, t.id, h.customer_id, h.period_from, h.period_to, h.value, $2
     FROM unnest($3::uuid[], $4::uuid[], $5::timestamptz[], $6::timestamptz[], $7::numeric[]) WITH ORDINALITY
       AS h (threshold_id, customer_id, period_from, period_to, value, n)
     JOIN usage_threshold t ON t.tenant_id = $1 AND t.id = h.threshold_id
     ORDER BY h.n
     ON CONFLICT DO NOTHING
     RETURNING threshold_id AS "thresholdId", customer_id AS "customerId", period_from AS "periodFrom"`,
    [
      tx.tenantId,
      tx.now,
      sorted.map((hit) => hit.thresholdId),
      sorted.map((hit) => hit.customerId),
      sorted.map((hit) => new Date(hit.from)),
      sorted.map((hit) => new Date(hit.to)),
      sorted.map((hit) => hit.value),
    ],
  );
  const inserted = new Set(rows.map((row) => `${row.thresholdId} ${row.customerId} ${row.periodFrom.getTime()}`));
  return sorted.filter((hit) => inserted.has(`${hit.thresholdId} ${hit.customerId} ${hit.from}`));
}

async function publishReached(tx: TenantTx, reached: readonly Reached[]): Promise<void> {
  if (reached.length === 0) return;
  const ids = [...new Set(reached.map((hit) => hit.thresholdId))].sort();
  const rows = await tx.query<{ id: string; version: number }>(
    `WITH locked AS (
       SELECT id FROM usage_threshold WHERE tenant_id = $1 AND id = ANY($2::uuid[]) ORDER BY id FOR UPDATE
     )
     UPDATE usage_threshold t SET version = t.version + n.added
     FROM locked JOIN (SELECT id, count(*)::int AS added FROM unnest($3::uuid[]) AS x (id) GROUP BY id) n USING (id)
     WHERE t.tenant_id = $1 AND t.id = locked.id
     RETURNING t.id, t.version - n.added AS version`,
    [tx.tenantId, ids, reached.map((hit) => hit.thresholdId)],
  );
  const versions = new Map(rows.map((row) => [row.id, row.version]));
  const thresholds = await getThresholds(tx, ids);
  const customers = await new ReplicaReader().dataOf<CustomerState>(
    tx,
    'customer',
    reached.map((hit) => hit.customerId),
  );
  const events = reached.map((hit) => {
    const version = versions.get(hit.thresholdId)! + 1;
    versions.set(hit.thresholdId, version);
    const period = { from: new Date(hit.from).toISOString(), to: new Date(hit.to).toISOString() };
    const notices = [
      notice(thresholds.get(hit.thresholdId)!, hit, period, customers.get(hit.customerId)?.representation ?? null),
    ];
    const { thresholdId, metricId, customerId, value } = hit;
    return {
      aggregateId: thresholdId,
      aggregateSeq: version,
      payload: { thresholdId, metricId, customerId, period, value, notices },
    };
  });
  await appendEvents(tx, usageThresholdReachedV1, events);
}

const notice = (
  threshold: UsageThresholdJson,
  hit: Reached,
  period: { from: string; to: string },
  customer: unknown,
): Notice => ({
  type: 'usage.threshold.reached',
  objectId: threshold.id,
  data: { usage: { ...threshold, reachedValue: hit.value, period, customer: customer ?? { id: hit.customerId } } },
  customerId: hit.customerId,
  activity: {
    metadata: {
      thresholdId: threshold.id,
      metric: threshold.metric.code,
      value: threshold.value,
      reachedValue: hit.value,
      period,
    },
  },
});
