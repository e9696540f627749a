import type { CustomerState, Notice } from '@kontor/contracts';
import { usageThresholdReachedV1 } from '@kontor/contracts';
import { compareDecimal } from '@kontor/money';
import { appendEvents } from '@kontor/messaging';
import type { TenantTx } from '@kontor/persistence';
import { monthBucket } from '../domain/metrics/calendar-buckets.js';
import { anyDecimal } from '../domain/metrics/tally.js';
import type { MeasureUsage } from '../metrics/measure-usage.js';
import { zonesOfCustomers } from '../metrics/time-zones.js';
import { getThresholds, type UsageThresholdJson } from './threshold.read.js';

/** Marks that one transaction looks at. */
export const MARKS = 500;

interface Candidate {
  readonly thresholdId: string;
  readonly metricId: string;
  readonly customerId: string;
  readonly limit: string;
  readonly from: number;
  readonly to: number;
}

/**
 * Looks at usage that changed since the last look, and tells of each threshold that it reaches, in the transaction that remembers it:
 * once per threshold, customer and month of the customer's zone. Only this month, the one before (its late events) and the next count.
 * Returns how many marks there were.
 */
export async function checkThresholds(tx: TenantTx, usage: MeasureUsage): Promise<number> {
  const marks = await tx.query<{ metric_id: string; customer_id: string; at: Date }>(
    `DELETE FROM usage_touched WHERE tenant_id = $1 AND id = ANY(ARRAY(
       SELECT id FROM usage_touched WHERE tenant_id = $1 ORDER BY id LIMIT ${MARKS} FOR UPDATE SKIP LOCKED)) RETURNING metric_id, customer_id, at`,
    [tx.tenantId],
  );
  if (marks.length === 0) return 0;
  const candidates = await openOf(tx, await candidatesOf(tx, marks));
  const values = await usage.execute(tx, candidates.map((one, i) => ({ key: String(i), metricId: one.metricId, customerId: one.customerId, from: new Date(one.from), to: new Date(one.to) }))); // prettier-ignore
  const reached = candidates.flatMap((one, i) => {
    const { value } = values.get(String(i))!;
    return compareDecimal(anyDecimal(value), anyDecimal(one.limit)) >= 0 ? [{ ...one, value }] : [];
  });
  await tell(tx, await remember(tx, reached));
  return marks.length;
}

async function candidatesOf(tx: TenantTx, marks: readonly { metric_id: string; customer_id: string; at: Date }[]): Promise<Candidate[]> {
  const thresholds = await tx.query<{ id: string; metric_id: string; customer_id: string | null; value: string }>(
    'SELECT id, metric_id, customer_id, value FROM usage_threshold WHERE tenant_id = $1 AND metric_id = ANY($2::uuid[])',
    [tx.tenantId, [...new Set(marks.map((mark) => mark.metric_id))]],
  );
  const zones = await zonesOfCustomers(tx, marks.map((mark) => mark.customer_id)); // prettier-ignore
  const found = new Map<string, Candidate>();
  for (const mark of marks) {
    const zone = zones.get(mark.customer_id)!;
    const month = monthBucket(mark.at.getTime(), zone);
    const earliest = monthBucket(monthBucket(tx.now.getTime(), zone).from - 1, zone).from;
    if (month.from < earliest) continue;
    for (const { id, metric_id, customer_id, value } of thresholds) {
      if (metric_id !== mark.metric_id || (customer_id !== null && customer_id !== mark.customer_id)) continue;
      found.set(`${id} ${mark.customer_id} ${month.from}`, { thresholdId: id, metricId: metric_id, customerId: mark.customer_id, limit: value, ...month }); // prettier-ignore
    }
  }
  return [...found.values()];
}

/** Those that were not reached yet: most thresholds of a busy customer were. */
async function openOf(tx: TenantTx, candidates: readonly Candidate[]): Promise<Candidate[]> {
  const rows = await tx.query<{ n: number }>(
    `SELECT c.n::int AS n FROM unnest($2::uuid[], $3::uuid[], $4::timestamptz[]) WITH ORDINALITY AS c (threshold_id, customer_id, period_from, n)
     JOIN usage_threshold_hit h ON h.tenant_id = $1 AND h.threshold_id = c.threshold_id AND h.customer_id = c.customer_id AND h.period_from = c.period_from`,
    [tx.tenantId, candidates.map((one) => one.thresholdId), candidates.map((one) => one.customerId), candidates.map((one) => new Date(one.from))],
  ); // prettier-ignore
  const reached = new Set(rows.map((row) => row.n - 1));
  return candidates.filter((_, i) => !reached.has(i));
}

type Reached = Candidate & { readonly value: string };

/** Who inserts the row tells of it; a check at the same time waits and then finds it. A threshold that was deleted meanwhile is no more. */
async function remember(tx: TenantTx, reached: readonly Reached[]): Promise<Reached[]> {
  if (reached.length === 0) return [];
  const sorted = [...reached].sort((a, b) => (`${a.thresholdId}${a.customerId}` < `${b.thresholdId}${b.customerId}` ? -1 : 1));
  const rows = await tx.query<{ threshold_id: string; customer_id: string; period_from: Date }>(
    `INSERT INTO usage_threshold_hit (tenant_id, threshold_id, customer_id, period_from, period_to, value, reached_at)
     SELECT $1, t.id, h.customer_id, h.period_from, h.period_to, h.value, $2
     FROM unnest($3::uuid[], $4::uuid[], $5::timestamptz[], $6::timestamptz[], $7::numeric[]) WITH ORDINALITY
       AS h (threshold_id, customer_id, period_from, period_to, value, n)
     JOIN usage_threshold t ON t.tenant_id = $1 AND t.id = h.threshold_id ORDER BY h.n
     ON CONFLICT DO NOTHING RETURNING threshold_id, customer_id, period_from`,
    [
      tx.tenantId, tx.now, sorted.map((one) => one.thresholdId), sorted.map((one) => one.customerId), sorted.map((one) => new Date(one.from)),
      sorted.map((one) => new Date(one.to)), sorted.map((one) => one.value),
    ], // prettier-ignore
  );
  const inserted = new Set(rows.map((row) => `${row.threshold_id} ${row.customer_id} ${row.period_from.getTime()}`));
  return sorted.filter((one) => inserted.has(`${one.thresholdId} ${one.customerId} ${one.from}`));
}

async function tell(tx: TenantTx, reached: readonly Reached[]): Promise<void> {
  if (reached.length === 0) return;
  const ids = [...new Set(reached.map((one) => one.thresholdId))].sort();
  const rows = await tx.query<{ id: string; version: number }>(
    `WITH locked AS (SELECT id FROM usage_threshold WHERE tenant_id = $1 AND id = ANY($2::uuid[]) ORDER BY id FOR UPDATE)
     UPDATE usage_threshold t SET version = t.version + n.added
     FROM locked JOIN (SELECT id, count(*)::int AS added FROM unnest($3::uuid[]) AS x (id) GROUP BY id) n USING (id)
     WHERE t.tenant_id = $1 AND t.id = locked.id RETURNING t.id, t.version - n.added AS version`,
    [tx.tenantId, ids, reached.map((one) => one.thresholdId)],
  );
  const versions = new Map(rows.map((row) => [row.id, row.version]));
  const thresholds = await getThresholds(tx, ids);
  const customers = await customersOf(tx, reached.map((one) => one.customerId)); // prettier-ignore
  const events = reached.map((one) => {
    const version = versions.get(one.thresholdId)! + 1;
    versions.set(one.thresholdId, version);
    const period = { from: new Date(one.from).toISOString(), to: new Date(one.to).toISOString() };
    const notices = [notice(thresholds.get(one.thresholdId)!, one, period, customers.get(one.customerId) ?? null)];
    const { thresholdId, metricId, customerId, value } = one;
    return { aggregateId: thresholdId, aggregateSeq: version, payload: { thresholdId, metricId, customerId, period, value, notices } };
  });
  await appendEvents(tx, usageThresholdReachedV1, events);
}

const notice = (threshold: UsageThresholdJson, one: Reached, period: { from: string; to: string }, customer: unknown): Notice => ({
  type: 'usage.threshold.reached',
  objectId: threshold.id,
  data: { usage: { ...threshold, reachedValue: one.value, period, customer: customer ?? { id: one.customerId } } },
  customerId: one.customerId,
  activity: {
    metadata: { thresholdId: threshold.id, metric: threshold.metric.code, value: threshold.value, reachedValue: one.value, period },
  },
});

async function customersOf(tx: TenantTx, ids: readonly string[]): Promise<Map<string, unknown>> {
  const rows = await tx.query<{ id: string; data: Partial<CustomerState> | null }>(
    `SELECT id, data FROM replica WHERE tenant_id = $1 AND kind = 'customer' AND id = ANY($2::text[]) AND NOT deleted`,
    [tx.tenantId, [...new Set(ids)]],
  );
  return new Map(rows.map((row) => [row.id, row.data?.representation]));
}
