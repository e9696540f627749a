import { Injectable } from '@nestjs/common';
import { newUuid, unknownReference, validationFailed } from '@kontor/kernel';
import { decimal, formatDecimal } from '@kontor/money';
import { Database, scheduleDue, type TenantTx } from '@kontor/persistence';
import { FindCustomers } from '../events/find-customers.js';
import { lockMetrics, metricsChanged } from '../rollups/build-rollups.js';
import { CHECK_THRESHOLDS } from '../rollups/rollup-work.js';
import { getThreshold, type UsageThresholdJson } from './threshold.read.js';
import type { UsageThresholdDto } from './threshold.dto.js';

const DAY_MS = 86_400_000;

/**
 * Begins to wait for a customer's usage of a month. Usage that is there already counts: what was used in these weeks is looked at in
 * the background, like everything that is used from now on.
 * @throws DomainError `unknown_reference`, `validation_failed` for an archived metric.
 */
@Injectable()
export class CreateThreshold {
  constructor(
    private readonly database: Database,
    private readonly findCustomers: FindCustomers,
  ) {}

  execute(tenantId: string, dto: UsageThresholdDto): Promise<UsageThresholdJson> {
    return this.database.tenant(tenantId, async (tx) => {
      const reference = dto.customerId ?? null;
      const customerId = reference === null ? null : (await this.findCustomers.execute(tx, [reference])).get(reference);
      if (customerId === undefined) throw unknownReference('customerId', 'customer');
      // Whoever is adding events without noting what changed ends first.
      await lockMetrics(tx);
      const [metric] = await tx.query<{ status: string; rollup_id: string }>(
        'UPDATE usage_metric SET watched = true WHERE tenant_id = $1 AND id = $2 RETURNING status, rollup_id',
        [tx.tenantId, dto.metric.toLowerCase()],
      );
      if (!metric) throw unknownReference('metric', 'usage metric');
      if (metric.status === 'archived') throw validationFailed('metric', 'The usage metric is archived.', 'archived');
      const id = newUuid();
      await tx.query('INSERT INTO usage_threshold (tenant_id, id, version, metric_id, customer_id, value, created_at) VALUES ($1, $2, 0, $3, $4, $5, $6)', [tx.tenantId, id, dto.metric, customerId, formatDecimal(decimal(dto.value)), tx.now]); // prettier-ignore
      await metricsChanged(tx);
      await touchUsers(tx, dto.metric, metric.rollup_id, customerId);
      await scheduleDue(tx, { kind: CHECK_THRESHOLDS, ref: tx.tenantId, dueAt: new Date(), wall: true });
      return getThreshold(tx, id);
    });
  }
}

/** Who used the metric lately; with a level, who ever did. */
async function touchUsers(tx: TenantTx, metricId: string, rollupId: string, customerId: string | null): Promise<void> {
  await tx.query(
    `INSERT INTO usage_touched (tenant_id, metric_id, customer_id, at)
     SELECT $1, $2, r.customer_id, $5 FROM usage_rollup r JOIN usage_metric m ON m.tenant_id = r.tenant_id AND m.rollup_id = r.rollup_id
     WHERE r.tenant_id = $1 AND r.rollup_id = $3 AND r.width = 'day' AND ($4::uuid IS NULL OR r.customer_id = $4)
       AND (m.aggregation_type = 'weighted_sum' OR r.bucket_to > $6) GROUP BY r.customer_id`,
    [tx.tenantId, metricId, rollupId, customerId, tx.now, new Date(tx.now.getTime() - 32 * DAY_MS)],
  );
}
