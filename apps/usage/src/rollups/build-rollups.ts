import { invariant } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import { sampler } from '../domain/metrics/sample-event.js';
import type { CountedEvent } from './keep-rollups.js';
import { type DefinitionRow, keptMetric } from './metric-definitions.js';
import { RollupRows } from './rollup-rows.js';
import { touch } from './touch.js';

/** Events that one step reads while the tenant's ingestion waits: some hundredths of a second. */
export const STEP_EVENTS = 5_000;

/** Waits for transactions that are adding events, and keeps new ones waiting until this one ends. Take it before all other locks. */
export async function lockMetrics(tx: TenantTx): Promise<void> {
  await tx.query('SELECT usage_metrics_lock($1)', [tx.tenantId]);
}

/** Tells everybody who adds events to read the definitions again. */
export async function metricsChanged(tx: TenantTx): Promise<void> {
  await tx.query('SELECT usage_metrics_changed($1)', [tx.tenantId]);
}

interface BuildingRow extends DefinitionRow {
  built_from_id: string | null;
}

/**
 * Counts the next events of a metric whose rollups are being built, from the latest backwards; true when there are none left. Under the
 * lock, each event is counted either here or by the transaction that added it. `fresh`: the rollups have just begun, nothing is counted.
 */
export async function buildStep(tx: TenantTx, metricId: string, fresh = false, limit = STEP_EVENTS): Promise<boolean> {
  const [row] = await tx.query<BuildingRow>('SELECT * FROM usage_metric WHERE tenant_id = $1 AND id = $2 FOR UPDATE', [tx.tenantId, metricId]); // prettier-ignore
  invariant(row, 'a metric that is built exists');
  if (!fresh && row.built_from === null) return true;
  const before = fresh ? '' : 'AND (occurred_at, id) < ($4, $5::uuid) AND occurred_at <= $4';
  const events = await tx.query<CountedEvent>(
    `SELECT id, event_name AS "eventName", customer_id AS "customerId", occurred_at AS "occurredAt", properties FROM usage_event
     WHERE tenant_id = $1 AND event_name = $2 AND voided_at IS NULL ${before} ORDER BY occurred_at DESC, id DESC LIMIT $3`,
    [tx.tenantId, row.event_name, limit, ...(fresh ? [] : [row.built_from, row.built_from_id])],
  );
  const metric = keptMetric(row);
  const sample = sampler(metric);
  const rows = new RollupRows();
  for (const event of events) {
    const found = sample(event);
    if (found) rows.add(metric, found);
  }
  await rows.apply(tx.client, tx.tenantId, 'add');
  await touch(tx.client, tx.tenantId, rows);
  if (fresh)
    await tx.query('UPDATE usage_metric SET counts_from = (SELECT raw_from FROM usage_tenant WHERE tenant_id = $1) WHERE tenant_id = $1 AND id = $2', [tx.tenantId, metricId]); // prettier-ignore
  const last = events.length < limit ? undefined : events.at(-1);
  await tx.query('UPDATE usage_metric SET built_from = $3, built_from_id = $4 WHERE tenant_id = $1 AND id = $2', [
    tx.tenantId,
    metricId,
    last?.occurredAt ?? null,
    last?.id ?? null,
  ]);
  if (!last) await metricsChanged(tx);
  return !last;
}
