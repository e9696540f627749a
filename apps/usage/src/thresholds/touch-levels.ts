import type { TenantTx } from '@kontor/persistence';
import { knownZoneOfTenant } from '../customers/time-zones.js';
import { monthBucket } from '../domain/metrics/calendar-buckets.js';

/**
 * A level lasts without events, so a new month may reach a threshold of a weighted sum by itself: once a month, when
 * the tenant's month has begun a day ago (for all zones of the world), everybody with a level is looked at.
 */
export async function touchLevels(tx: TenantTx): Promise<void> {
  const month = monthBucket(tx.now.getTime() - DAY_MS, await knownZoneOfTenant(tx));
  await tx.query(
    `WITH due AS (
       UPDATE usage_metric SET levels_seen = $2
       WHERE tenant_id = $1 AND watched AND aggregation_type = 'weighted_sum'
         AND (levels_seen IS NULL OR levels_seen < $2)
       RETURNING id, rollup_id
     )
     INSERT INTO usage_touched (tenant_id, metric_id, customer_id, at)
     SELECT DISTINCT $1::uuid, due.id, r.customer_id, $3::timestamptz
     FROM due JOIN usage_rollup r ON r.tenant_id = $1 AND r.rollup_id = due.rollup_id AND r.width = 'day'`,
    [tx.tenantId, new Date(month.from), tx.now],
  );
}

const DAY_MS = 86_400_000;
