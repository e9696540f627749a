import { Injectable } from '@nestjs/common';
import { invariant, notFound } from '@kontor/kernel';
import { Database } from '@kontor/persistence';
import { usageMetrics } from '../db/usage-metric.row.js';
import { metricsChanged } from '../rollups/build-rollups.js';
import { usageThresholds } from './usage-threshold.row.js';

/** Waits no longer. @throws DomainError 404 `not_found`. */
@Injectable()
export class DeleteThreshold {
  constructor(private readonly database: Database) {}

  async execute(tenantId: string, id: string): Promise<void> {
    await this.database.tenant(tenantId, async (tx) => {
      const threshold = await usageThresholds.get(tx, id, { lock: 'update' });
      if (!threshold) throw notFound('The usage threshold');
      await usageThresholds.delete(tx, { id });
      const { metricId } = threshold;
      // One that is made at the same time sets it again: it waits for this row.
      const metric = await usageMetrics.get(tx, metricId, { lock: 'update' });
      invariant(metric, 'a threshold has a metric');
      const watched = await usageThresholds.exists(tx, { metricId });
      await usageMetrics.update(tx, { ...metric, watched }, ['watched']);
      await metricsChanged(tx);
    });
  }
}
