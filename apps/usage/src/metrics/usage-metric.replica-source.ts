import type { TenantTx } from '@kontor/persistence';
import { type OwnedObject, type ReplicaProvider, ReplicaSource } from '@kontor/service-kit';
import { type MetricRow, metricState } from './usage-metric.read.js';

@ReplicaSource('usage_metric')
export class UsageMetricSource implements ReplicaProvider {
  async fetch(tx: TenantTx, id: string): Promise<{ version: number; data: unknown } | null> {
    const [row] = await tx.query<MetricRow>('SELECT * FROM usage_metric WHERE tenant_id = $1 AND id = $2', [tx.tenantId, id]);
    return row ? { version: row.version, data: metricState(row) } : null;
  }

  async page(tx: TenantTx, after: string | null, limit: number): Promise<OwnedObject[]> {
    const rows = await tx.query<MetricRow>(
      'SELECT * FROM usage_metric WHERE tenant_id = $1 AND ($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT $3',
      [tx.tenantId, after, limit],
    );
    return rows.map((row) => ({ id: row.id, version: row.version, data: metricState(row) }));
  }
}
