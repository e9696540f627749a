import type { UsageMetricState } from '@kontor/contracts';
import { notFound } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import { type ListQuery, listSql, type Page, page } from '@kontor/service-kit';
import type { DefinitionRow } from '../rollups/metric-definitions.js';

/** The whole row of a metric. */
export interface MetricRow extends DefinitionRow {
  version: number;
  code: string;
  name: string;
  description: string | null;
  unit: string | null;
  status: 'active' | 'archived';
  created_at: Date;
  updated_at: Date;
}

export const representMetric = (row: MetricRow) => ({
  id: row.id,
  code: row.code,
  name: row.name,
  description: row.description,
  status: row.status,
  eventName: row.event_name,
  aggregationType: row.aggregation_type,
  property: row.property,
  percentile: row.percentile,
  filters: row.filters,
  groupBy: row.group_by,
  unit: row.unit,
  rounding: row.rounding,
  rollup: row.rollup,
  rollupStatus: row.built_from === null ? 'ready' : 'building',
  rollupBuiltFrom: row.built_from?.toISOString() ?? null,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});
export type UsageMetricJson = ReturnType<typeof representMetric>;

/** What other services copy. */
export const metricState = (row: MetricRow): UsageMetricState => ({
  id: row.id,
  code: row.code,
  name: row.name,
  status: row.status,
  eventName: row.event_name,
  aggregationType: row.aggregation_type,
  property: row.property,
  unit: row.unit,
  groupBy: row.group_by,
  rounding: row.rounding && { ...row.rounding },
});

/** @throws DomainError 404 `not_found`. */
export async function getMetric(tx: TenantTx, id: string, lock = ''): Promise<MetricRow> {
  const [row] = await tx.query<MetricRow>(`SELECT * FROM usage_metric WHERE tenant_id = $1 AND id = $2 ${lock}`, [tx.tenantId, id]);
  if (!row) throw notFound('The usage metric');
  return row;
}

export const METRIC_LIST = {
  filters: { code: 'text', eventName: 'text', aggregationType: 'text', status: 'text' },
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
  const { where, params, orderBy, limit, offset } = listSql(list, { columns: COLUMNS, usedParams: 1 });
  const values = [tx.tenantId, ...params];
  const rows = await tx.query<MetricRow>(
    `SELECT * FROM usage_metric WHERE tenant_id = $1 AND ${where} ORDER BY ${orderBy} LIMIT ${limit} OFFSET ${offset}`,
    values,
  );
  const [count] = await tx.query<{ n: bigint }>(`SELECT count(*) AS n FROM usage_metric WHERE tenant_id = $1 AND ${where}`, values);
  return page(rows.map(representMetric), count!.n, list);
}
