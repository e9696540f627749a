import type { Principal, UnbilledUsageResponse } from '@kontor/contracts';
import { Database } from '@kontor/persistence';
import { Caller, Internal } from '@kontor/service-kit';
import { Get } from '@nestjs/common';

/**
 * Periods that are still to be billed: of items of which something falls due, or may once a pause is over, also where they have ended; from
 * the day of a planned change on at its price. And billed ones that are to be corrected: they are measured once more.
 */
const UNBILLED_SINCE = `
  WITH metered AS (SELECT id FROM price_plan WHERE tenant_id = $1 AND usage_metric_id IS NOT NULL)
  SELECT min(unbilled.since) AS since
  FROM (
    SELECT priced.since
    FROM subscription_item i
    JOIN subscription s ON s.tenant_id = i.tenant_id AND s.id = i.subscription_id
    CROSS JOIN LATERAL (
      SELECT i.price_plan_id, coalesce(i.billed_to, i.start_on)
      UNION ALL
      SELECT (change->>'pricePlanId')::uuid, change->>'from' FROM jsonb_array_elements(i.planned_changes) AS change
    ) AS priced (price_plan_id, since)
    WHERE i.tenant_id = $1 AND priced.price_plan_id IN (SELECT id FROM metered)
      AND (i.next_due_on IS NOT NULL
        OR (s.status = 'paused' AND (i.ends_on IS NULL OR coalesce(i.billed_to, i.start_on) < i.ends_on)))
    UNION ALL
    SELECT charged.service_from
    FROM usage_correction u
    JOIN charge charged ON charged.tenant_id = u.tenant_id AND charged.closing_id = u.closing_id
    WHERE u.tenant_id = $1
  ) unbilled`;

/** For usage: the events of which an amount is still to be billed are not too old, whatever the settings keep. */
@Internal('unbilled-usage')
export class UnbilledUsageInternal {
  constructor(private readonly database: Database) {}

  @Get()
  async read(@Caller() { tenantId }: Principal): Promise<UnbilledUsageResponse> {
    return this.database.tenant(
      tenantId,
      async (tx) => {
        const [found] = await tx.query<UnbilledUsageResponse>(UNBILLED_SINCE, [tx.tenantId]);
        return { since: found?.since ?? null };
      },
      { readOnly: true },
    );
  }
}
