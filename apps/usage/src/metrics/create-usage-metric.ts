import { Injectable } from '@nestjs/common';
import { newUuid } from '@kontor/kernel';
import { Database, keepWithin, Replicas, scheduleDue } from '@kontor/persistence';
import { ReplicaFreshness } from '@kontor/service-kit';
import { usageMetrics } from '../db/usage-metric.row.js';
import { buildStep, lockMetrics, metricsChanged } from '../rollups/build-rollups.js';
import { BUILD_ROLLUPS } from '../rollups/rollup-work.js';
import { propertiesOf, publishMetric, refusingDuplicates } from './store-metric.js';
import type { UsageMetricDto } from './usage-metric.dto.js';
import { zoneOfTenant } from '../customers/time-zones.js';
import { getMetric, representMetric } from './usage-metric.read.js';
import type { UsageMetricJson } from './usage-metric.schema.js';

/** Every event is counted for all that ask for its name; archived ones go on counting. */
export const MAX_METRICS = 200;

/**
 * Begins to count something. Events that are there already count too: the latest of them at once, the others in the
 * background.
 * @throws DomainError `validation_failed`, `already_exists`, `too_many_metrics`
 */
@Injectable()
export class CreateUsageMetric {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
    private readonly freshness: ReplicaFreshness,
  ) {}

  async execute(tenantId: string, dto: UsageMetricDto): Promise<UsageMetricJson> {
    const properties = propertiesOf(dto);
    const metric = await refusingDuplicates(() =>
      this.database.tenant(tenantId, async (tx) => {
        const bucketZone = await zoneOfTenant(tx, this.replicas);
        await lockMetrics(tx);
        const row = {
          ...properties,
          tenantId,
          id: newUuid(),
          version: 1,
          status: 'active' as const,
          rollupId: newUuid(),
          bucketZone,
          builtFrom: null,
          builtFromId: null,
          countsFrom: null,
          watched: false,
          levelsSeen: null,
          createdAt: tx.now,
          updatedAt: tx.now,
        };
        await keepWithin(tx, usageMetrics, 'too_many_metrics', { limit: MAX_METRICS, what: 'usage metrics' });
        await usageMetrics.insert(tx, row);
        await metricsChanged(tx);
        await publishMetric(tx, row);
        if (!(await buildStep(tx, row.id, true)))
          await scheduleDue(tx, { kind: BUILD_ROLLUPS, ref: row.id, dueAt: new Date(), wall: true });
        return representMetric(await getMetric(tx, row.id));
      }),
    );
    await this.freshness.copied('usage_metric', tenantId, metric.id, 1);
    return metric;
  }
}
