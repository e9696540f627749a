import { Injectable } from '@nestjs/common';
import { newUuid, unknownReference, validationFailed } from '@kontor/kernel';
import { decimal, formatDecimal } from '@kontor/money';
import { Database, keepWithin, scheduleDue, type TenantTx } from '@kontor/persistence';
import { customerAnonymized } from '@kontor/service-kit';
import { FindCustomers } from '../customers/find-customers.js';
import { usageMetrics, type UsageMetricRow } from '../db/usage-metric.row.js';
import { lockMetrics, metricsChanged } from '../rollups/build-rollups.js';
import { CHECK_THRESHOLDS } from '../rollups/rollup-work.js';
import type { UsageThresholdDto } from './threshold.dto.js';
import { getThreshold } from './threshold.read.js';
import type { UsageThresholdJson } from './threshold.schema.js';
import { usageThresholds } from './usage-threshold.row.js';

/** Of a metric, for one customer, and for each by itself: usage that changed is compared with all of them. */
export const MAX_THRESHOLDS = 20;

const DAY_MS = 86_400_000;

/**
 * Begins to wait for a customer's usage of a month. Usage that is there already counts: what was used in these weeks is
 * looked at in the background, like everything that is used from now on.
 * @throws DomainError `unknown_reference`, `customer_anonymized`, `validation_failed` for an archived metric, `too_many_thresholds`.
 */
@Injectable()
export class CreateThreshold {
  constructor(
    private readonly database: Database,
    private readonly findCustomers: FindCustomers,
  ) {}

  execute(tenantId: string, dto: UsageThresholdDto): Promise<UsageThresholdJson> {
    return this.database.tenant(tenantId, async (tx) => {
      // Whoever is adding events without noting what changed ends first; and no customer is released from here on.
      await lockMetrics(tx);
      const reference = dto.customerId ?? null;
      const customerId = reference === null ? null : (await this.findCustomers.execute(tx, [reference])).get(reference);
      if (customerId === undefined) throw unknownReference('customerId', 'customer');
      if (customerId !== null && (await this.findCustomers.anonymized(tx, [customerId])).size > 0)
        throw customerAnonymized();
      const metric = await usageMetrics.get(tx, dto.metric.toLowerCase(), { lock: 'update' });
      if (!metric) throw unknownReference('metric', 'usage metric');
      if (metric.status === 'archived') throw validationFailed('metric', 'The usage metric is archived.', 'archived');
      await keepWithin(tx, usageThresholds, 'too_many_thresholds', {
        limit: MAX_THRESHOLDS,
        what: 'thresholds of a metric and customer',
        match: { metricId: metric.id, customerId },
      });
      await usageMetrics.update(tx, { ...metric, watched: true }, ['watched']);
      const id = newUuid();
      const value = formatDecimal(decimal(dto.value));
      await usageThresholds.insert(tx, { id, version: 0, metricId: metric.id, customerId, value, createdAt: tx.now });
      await metricsChanged(tx);
      await touchUsers(tx, metric, customerId);
      await scheduleDue(tx, { kind: CHECK_THRESHOLDS, ref: tx.tenantId, dueAt: new Date(), wall: true });
      return getThreshold(tx, id);
    });
  }
}

/** Who used the metric lately; with a level, who ever did. */
async function touchUsers(tx: TenantTx, metric: UsageMetricRow, customerId: string | null): Promise<void> {
  const since = metric.aggregationType === 'weighted_sum' ? null : new Date(tx.now.getTime() - 32 * DAY_MS);
  await tx.query(
    `INSERT INTO usage_touched (tenant_id, metric_id, customer_id, at)
     SELECT $1, $2, r.customer_id, $5
     FROM usage_rollup r
     WHERE r.tenant_id = $1 AND r.rollup_id = $3 AND r.width = 'day'
       AND ($4::uuid IS NULL OR r.customer_id = $4) AND ($6::timestamptz IS NULL OR r.bucket_to > $6)
     GROUP BY r.customer_id`,
    [tx.tenantId, metric.id, metric.rollupId, customerId, tx.now, since],
  );
}
