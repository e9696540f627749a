import { invariant } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import { usageMetrics, type UsageMetricRow } from '../db/usage-metric.row.js';
import { rawEventsSince } from '../partitions/raw-events-since.js';
import type { CountedEvent } from '../domain/metrics/counted-event.js';
import { sampler } from '../domain/metrics/sample-event.js';
import { rollupMetric } from './metric-definitions.js';
import { RollupRows } from './rollup-rows.js';
import { touch } from './touch.js';

/** Events that one step reads while the tenant's ingestion waits: some hundredths of a second. */
export const STEP_EVENTS = 5_000;

/**
 * Waits for transactions that are adding events, and keeps new ones waiting until this one ends. To be acquired before
 * all other locks.
 */
export async function lockMetrics(tx: TenantTx): Promise<void> {
  await tx.query('SELECT usage_metrics_lock($1)', [tx.tenantId]);
}

/** Makes everybody who adds events read the definitions again. */
export async function metricsChanged(tx: TenantTx): Promise<void> {
  await tx.query('SELECT usage_metrics_changed($1)', [tx.tenantId]);
}

/**
 * Counts the next events of a metric whose rollups are being built, from the latest backwards; true when there are none
 * left. Under the lock, each event is counted either here or by the transaction that added it. `fresh`: the rollups
 * have just begun, nothing is counted.
 */
export async function buildStep(tx: TenantTx, metricId: string, fresh = false, limit = STEP_EVENTS): Promise<boolean> {
  const row = await usageMetrics.get(tx, metricId, { lock: 'update' });
  invariant(row, 'a metric that is built exists');
  if (!fresh && row.builtFrom === null) return true;
  const events = await latestEvents(tx, row, fresh, limit);
  const metric = rollupMetric(row);
  const sample = sampler(metric);
  const rows = new RollupRows();
  for (const event of events) {
    const found = sample(event);
    if (found) rows.add(metric, found);
  }
  await rows.apply(tx.client, tx.tenantId, 'add');
  await touch(tx.client, tx.tenantId, rows);
  const last = events.length < limit ? undefined : events.at(-1);
  const countsFrom = fresh ? await rawEventsSince(tx) : row.countsFrom;
  const built = { id: row.id, countsFrom, builtFrom: last?.occurredAt ?? null, builtFromId: last?.id ?? null };
  await usageMetrics.update(tx, built, ['countsFrom', 'builtFrom', 'builtFromId']);
  if (!last) await metricsChanged(tx);
  return !last;
}

/** The next events of the metric's name, latest first. */
function latestEvents(tx: TenantTx, metric: UsageMetricRow, fresh: boolean, limit: number): Promise<CountedEvent[]> {
  const { eventName, builtFrom, builtFromId } = metric;
  const before = fresh ? '' : 'AND (occurred_at, id) < ($4, $5::uuid) AND occurred_at <= $4';
  return tx.query<CountedEvent>(
    `SELECT id, event_name AS "eventName", customer_id AS "customerId", occurred_at AS "occurredAt", properties
     FROM usage_event
     WHERE tenant_id = $1 AND event_name = $2 AND voided_at IS NULL ${before}
     ORDER BY occurred_at DESC, id DESC
     LIMIT $3`,
    [tx.tenantId, eventName, limit, ...(fresh ? [] : [builtFrom, builtFromId])],
  );
}
