import { Injectable } from '@nestjs/common';
import { Database } from '@kontor/persistence';
import { ReplicaFreshness } from '@kontor/service-kit';
import { publishMetric, updateMetric } from './store-metric.js';
import { getMetric, representMetric } from './usage-metric.read.js';
import type { UsageMetricJson } from './usage-metric.schema.js';

/**
 * Keeps a metric from being used anew. It goes on counting, because price plans that have it are billed by it;
 * archiving it again changes nothing.
 * @throws DomainError 404 `not_found`.
 */
@Injectable()
export class ArchiveUsageMetric {
  constructor(
    private readonly database: Database,
    private readonly freshness: ReplicaFreshness,
  ) {}

  async execute(tenantId: string, id: string): Promise<UsageMetricJson> {
    const row = await this.database.tenant(tenantId, async (tx) => {
      const before = await getMetric(tx, id, { lock: 'update' });
      if (before.status === 'archived') return before;
      const after = { ...before, status: 'archived' as const, version: before.version + 1, updatedAt: tx.now };
      await updateMetric(tx, after);
      await publishMetric(tx, after);
      return after;
    });
    await this.freshness.copied('usage_metric', tenantId, id, row.version);
    return representMetric(row);
  }
}
