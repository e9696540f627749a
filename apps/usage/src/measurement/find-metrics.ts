import type { TenantTx } from '@kontor/persistence';
import { usageMetrics, type UsageMetricRow } from '../db/usage-metric.row.js';
import { rollupMetric } from '../rollups/metric-definitions.js';
import type { MeasuredMetric } from './measurement-query.js';

export const measuredMetric = (row: UsageMetricRow): MeasuredMetric => ({
  ...rollupMetric(row),
  builtFrom: row.builtFrom?.getTime() ?? null,
  countsFrom: row.countsFrom?.getTime() ?? null,
});

/** Metrics as they are measured, by id; unknown ids are missing. */
export async function findMetrics(tx: TenantTx, ids: readonly string[]): Promise<Map<string, MeasuredMetric>> {
  const rows = await usageMetrics.findByIds(tx, ids);
  return new Map(rows.map((row) => [row.id, measuredMetric(row)]));
}
