import type { UsageMetricState } from '@kontor/contracts';
import { notFound } from '@kontor/kernel';
import type { FindOptions, TenantTx } from '@kontor/persistence';
import { type ListQuery, listRows, type Page, page } from '@kontor/service-kit';
import { usageMetrics, type UsageMetricRow } from '../db/usage-metric.row.js';
import { AGGREGATION_TYPES } from '../domain/metrics/metric.js';
import type { UsageMetricJson } from './usage-metric.schema.js';

export const representMetric = (row: UsageMetricRow): UsageMetricJson => ({
  id: row.id,
  code: row.code,
  name: row.name,
  description: row.description,
  status: row.status,
  eventName: row.eventName,
  aggregationType: row.aggregationType,
  property: row.property,
  percentile: row.percentile,
  filters: [...row.filters],
  groupBy: row.groupBy,
  unit: row.unit,
  rounding: row.rounding,
  rollup: row.rollup,
  rollupStatus: row.builtFrom === null ? 'ready' : 'building',
  rollupBuiltFrom: row.builtFrom?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

/** What other services copy. */
export const metricState = (row: UsageMetricRow): UsageMetricState => ({
  id: row.id,
  code: row.code,
  name: row.name,
  status: row.status,
  eventName: row.eventName,
  aggregationType: row.aggregationType,
  property: row.property,
  unit: row.unit,
  groupBy: row.groupBy,
  rounding: row.rounding && { ...row.rounding },
});

/** @throws DomainError 404 `not_found`. */
export async function getMetric(
  tx: TenantTx,
  id: string,
  options: Pick<FindOptions<UsageMetricRow>, 'lock'> = {},
): Promise<UsageMetricRow> {
  const row = await usageMetrics.get(tx, id, options);
  if (!row) throw notFound('The usage metric');
  return row;
}

export const METRIC_LIST = {
  filters: { code: 'text', eventName: 'text', aggregationType: AGGREGATION_TYPES, status: ['active', 'archived'] },
  order: ['createdAt', 'code', 'name'],
} as const;

const COLUMNS = {
  code: 'code',
  name: 'name',
  eventName: 'event_name',
  aggregationType: 'aggregation_type',
  status: 'status',
  createdAt: 'created_at',
};

export async function listMetrics(tx: TenantTx, list: ListQuery): Promise<Page<UsageMetricJson>> {
  const { rows, total } = await listRows(tx, list, { table: usageMetrics, columns: COLUMNS });
  return page(rows.map(representMetric), total, list);
}
