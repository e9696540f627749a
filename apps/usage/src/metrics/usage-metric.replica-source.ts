import type { TenantTx } from '@kontor/persistence';
import { type OwnedObject, type ReplicaProvider, ReplicaSource } from '@kontor/service-kit';
import { usageMetrics } from '../db/usage-metric.row.js';
import { metricState } from './usage-metric.read.js';

@ReplicaSource('usage_metric')
export class UsageMetricSource implements ReplicaProvider {
  async fetch(tx: TenantTx, id: string): Promise<{ version: number; data: unknown } | null> {
    const row = await usageMetrics.get(tx, id);
    return row && { version: row.version, data: metricState(row) };
  }

  async page(tx: TenantTx, after: string | null, limit: number): Promise<OwnedObject[]> {
    const rows = await usageMetrics.where(tx, '($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT $3', [after, limit]);
    return rows.map((row) => ({ id: row.id, version: row.version, data: metricState(row) }));
  }
}
