import type { TenantTx } from '@kontor/persistence';
import { type DefinitionRow, keptMetric } from '../rollups/metric-definitions.js';
import type { MeasuredMetric } from './measure.js';

/** Metrics as they are measured, by id; unknown ids are missing. */
export async function findMetrics(tx: TenantTx, ids: readonly string[]): Promise<Map<string, MeasuredMetric>> {
  const rows = await tx.query<DefinitionRow>('SELECT * FROM usage_metric WHERE tenant_id = $1 AND id = ANY($2::uuid[])', [
    tx.tenantId,
    [...new Set(ids)],
  ]);
  return new Map(rows.map((row) => [row.id, { ...keptMetric(row), builtFrom: row.built_from?.getTime() ?? null }]));
}
