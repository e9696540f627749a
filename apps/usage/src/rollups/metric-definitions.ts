import type { ClientBase } from 'pg';
import { usageMetrics, type UsageMetricRow } from '../db/usage-metric.row.js';
import type { MetricDefinition } from '../domain/metrics/metric.js';
import { type SampleEvent, sampler } from '../domain/metrics/sample-event.js';

/** A metric as the keeping of rollups knows it. */
export interface RollupMetric extends MetricDefinition {
  readonly id: string;
  readonly rollupId: string;
  readonly rollup: 'day' | 'hour';
  readonly bucketZone: string;
  /** A threshold waits for it. */
  readonly watched: boolean;
}

/** A tenant's metrics, compiled. Good for one version of its definitions. */
export interface TenantMetrics {
  readonly version: bigint;
  readonly byEventName: ReadonlyMap<string, readonly { metric: RollupMetric; sample: SampleEvent }[]>;
  /** When it was read, rollups of some metric were being built. */
  readonly building: boolean;
  /** A threshold waits for some metric. */
  readonly watched: boolean;
}

export const rollupMetric = (row: UsageMetricRow): RollupMetric => ({
  id: row.id,
  rollupId: row.rollupId,
  rollup: row.rollup,
  bucketZone: row.bucketZone,
  watched: row.watched,
  eventName: row.eventName,
  aggregationType: row.aggregationType,
  property: row.property,
  percentile: row.percentile,
  filters: row.filters,
  groupBy: row.groupBy,
  rounding: row.rounding,
});

/** Reads the tenant's definitions in a transaction that has begun to keep rollups (`usage_metrics_begin`). */
export async function readTenantMetrics(client: ClientBase, tenantId: string, version: bigint): Promise<TenantMetrics> {
  const { rows } = await client.query<UsageMetricRow>(
    `SELECT ${usageMetrics.select} FROM usage_metric_definitions($1)`,
    [tenantId],
  );
  const byEventName = new Map<string, { metric: RollupMetric; sample: SampleEvent }[]>();
  for (const row of rows) {
    const metric = rollupMetric(row);
    const entry = { metric, sample: sampler(metric) };
    byEventName.set(metric.eventName, [...(byEventName.get(metric.eventName) ?? []), entry]);
  }
  return {
    version,
    byEventName,
    building: rows.some((row) => row.builtFrom !== null),
    watched: rows.some((row) => row.watched),
  };
}
