import { notFound } from '@kontor/kernel';
import { decimal, formatDecimal } from '@kontor/money';
import type { TenantTx } from '@kontor/persistence';
import { type ListQuery, listRows, type Page, page } from '@kontor/service-kit';
import { usageMetrics, type UsageMetricRow } from '../db/usage-metric.row.js';
import type { UsageThresholdJson } from './threshold.schema.js';
import { type UsageThresholdRow, usageThresholds } from './usage-threshold.row.js';

export const representThreshold = (
  { id, customerId, value, createdAt }: UsageThresholdRow,
  metric: UsageMetricRow,
): UsageThresholdJson => ({
  id,
  metric: { id: metric.id, code: metric.code, name: metric.name, unit: metric.unit },
  customerId,
  value: formatDecimal(decimal(value)),
  createdAt: createdAt.toISOString(),
});

export const THRESHOLD_LIST = { filters: { metric: 'uuid', customerId: 'uuid' }, order: ['createdAt'] } as const;

const COLUMNS = {
  metric: { sql: 'metric_id', type: 'uuid' },
  customerId: { sql: 'customer_id', type: 'uuid' },
  createdAt: 'created_at',
} as const;

/** @throws DomainError 404 `not_found`. */
export async function getThreshold(tx: TenantTx, id: string): Promise<UsageThresholdJson> {
  const found = (await getThresholds(tx, [id])).get(id);
  if (!found) throw notFound('The usage threshold');
  return found;
}

/** Thresholds by id, for their notices. */
export async function getThresholds(tx: TenantTx, ids: readonly string[]): Promise<Map<string, UsageThresholdJson>> {
  const shown = await represented(tx, await usageThresholds.findByIds(tx, ids));
  return new Map(shown.map((threshold) => [threshold.id, threshold]));
}

export async function listThresholds(tx: TenantTx, list: ListQuery): Promise<Page<UsageThresholdJson>> {
  const { rows, total } = await listRows(tx, list, { table: usageThresholds, columns: COLUMNS });
  return page(await represented(tx, rows), total, list);
}

async function represented(tx: TenantTx, rows: readonly UsageThresholdRow[]): Promise<UsageThresholdJson[]> {
  const found = await usageMetrics.findByIds(
    tx,
    rows.map(({ metricId }) => metricId),
  );
  const metrics = new Map(found.map((metric) => [metric.id, metric]));
  return rows.map((row) => representThreshold(row, metrics.get(row.metricId)!));
}
