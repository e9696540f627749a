import type { TenantTx } from '@kontor/persistence';

/** A metric as closing needs it. */
export interface PeriodMetric {
  /** Changes with what the metric counts. */
  readonly meaning: string;
  readonly groupBy: readonly string[];
  /** Events before a period change what is used in it: levels that are carried on. */
  readonly carries: boolean;
}

/** Metrics by id; unknown ids are missing. */
export async function findPeriodMetrics(tx: TenantTx, ids: readonly string[]): Promise<Map<string, PeriodMetric>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.query<PeriodMetric & { id: string }>(
    `SELECT id, usage_metric_meaning(m) AS meaning, group_by AS "groupBy", aggregation_type = 'weighted_sum' AS carries
     FROM usage_metric m WHERE tenant_id = $1 AND id = ANY($2::uuid[])`,
    [tx.tenantId, [...new Set(ids)]],
  );
  return new Map(rows.map((row) => [row.id, row]));
}
