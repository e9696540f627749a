import type { ClientBase } from 'pg';
import type { MetricDefinition } from '../domain/metrics/metric.js';
import { type SampleEvent, sampler } from '../domain/metrics/sample-event.js';

/** A metric as the keeping of rollups knows it. */
export interface KeptMetric extends MetricDefinition {
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
  readonly byEventName: ReadonlyMap<string, readonly { metric: KeptMetric; sample: SampleEvent }[]>;
  /** When it was read, rollups of some metric were being built. */
  readonly building: boolean;
  /** A threshold waits for some metric. */
  readonly watched: boolean;
}

export interface DefinitionRow {
  id: string;
  rollup_id: string;
  rollup: 'day' | 'hour';
  bucket_zone: string;
  event_name: string;
  aggregation_type: MetricDefinition['aggregationType'];
  property: string | null;
  percentile: string | null;
  filters: MetricDefinition['filters'];
  group_by: string[];
  rounding: MetricDefinition['rounding'];
  built_from: Date | null;
  watched: boolean;
}

export const keptMetric = (row: DefinitionRow): KeptMetric => ({
  id: row.id,
  rollupId: row.rollup_id,
  rollup: row.rollup,
  bucketZone: row.bucket_zone,
  watched: row.watched,
  eventName: row.event_name,
  aggregationType: row.aggregation_type,
  property: row.property,
  percentile: row.percentile,
  filters: row.filters,
  groupBy: row.group_by,
  rounding: row.rounding,
});

/** Reads the tenant's definitions in a transaction that has begun to keep rollups (`usage_metrics_begin`). */
export async function readTenantMetrics(client: ClientBase, tenantId: string, version: bigint): Promise<TenantMetrics> {
  const { rows } = await client.query<DefinitionRow>('SELECT * FROM usage_metric_definitions($1)', [tenantId]);
  const byEventName = new Map<string, { metric: KeptMetric; sample: SampleEvent }[]>();
  for (const row of rows) {
    const metric = keptMetric(row);
    const entry = { metric, sample: sampler(metric) };
    byEventName.set(metric.eventName, [...(byEventName.get(metric.eventName) ?? []), entry]);
  }
  return { version, byEventName, building: rows.some((row) => row.built_from !== null), watched: rows.some((row) => row.watched) };
}
