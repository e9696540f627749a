import { Injectable } from '@nestjs/common';
import { newUuid } from '@kontor/kernel';
import { Database, scheduleDueMany, type TenantTx } from '@kontor/persistence';
import { ReplicaFreshness } from '@kontor/service-kit';
import type { UsageMetricRow } from '../db/usage-metric.row.js';
import { buildStep, lockMetrics, metricsChanged } from '../rollups/build-rollups.js';
import { BUILD_ROLLUPS, PURGE_ROLLUPS } from '../rollups/rollup-work.js';
import { propertiesOf, countsDifferently, publishMetric, refusingDuplicates, updateMetric } from './store-metric.js';
import type { UsageMetricDto } from './usage-metric.dto.js';
import { getMetric, representMetric } from './usage-metric.read.js';
import type { UsageMetricJson } from './usage-metric.schema.js';

/**
 * Replaces a metric; omitted fields get their defaults. When it counts differently from now on, so it does for the
 * past: its rollups are built anew, and until they are, answers come from the events.
 * @throws DomainError 404 `not_found`, `validation_failed`, `already_exists`
 */
@Injectable()
export class ReplaceUsageMetric {
  constructor(
    private readonly database: Database,
    private readonly freshness: ReplicaFreshness,
  ) {}

  async execute(tenantId: string, id: string, dto: UsageMetricDto): Promise<UsageMetricJson> {
    const properties = propertiesOf(dto);
    const row = await refusingDuplicates(() =>
      this.database.tenant(tenantId, async (tx) => {
        await lockMetrics(tx);
        const before = await getMetric(tx, id, { lock: 'update' });
        if (JSON.stringify(representMetric({ ...before, ...properties })) === JSON.stringify(representMetric(before)))
          return before;
        const after = { ...before, ...properties, version: before.version + 1, updatedAt: tx.now };
        if (!countsDifferently(before, properties)) await updateMetric(tx, after);
        else await this.countAnew(tx, { ...after, rollupId: newUuid() }, before.rollupId);
        await publishMetric(tx, after);
        return getMetric(tx, id);
      }),
    );
    await this.freshness.copied('usage_metric', tenantId, id, row.version);
    return representMetric(row);
  }

  private async countAnew(tx: TenantTx, row: UsageMetricRow, oldRollups: string): Promise<void> {
    await updateMetric(tx, row);
    await metricsChanged(tx);
    const built = await buildStep(tx, row.id, true);
    const due = { dueAt: new Date(), wall: true };
    await scheduleDueMany(tx, [
      { ...due, kind: PURGE_ROLLUPS, ref: oldRollups },
      ...(built ? [] : [{ ...due, kind: BUILD_ROLLUPS, ref: row.id }]),
    ]);
  }
}
