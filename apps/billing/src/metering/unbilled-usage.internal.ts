import type { Principal, UnbilledUsageResponse } from '@kontor/contracts';
import { Database } from '@kontor/persistence';
import { Caller, Internal } from '@kontor/service-kit';
import { Get } from '@nestjs/common';

/** For usage: the events of which an amount is still to be billed are not too old, whatever the settings keep. */
@Internal('unbilled-usage')
export class UnbilledUsageInternal {
  constructor(private readonly database: Database) {}

  @Get()
  async read(@Caller() { tenantId }: Principal): Promise<UnbilledUsageResponse> {
    return this.database.tenant(
      tenantId,
      async (tx) => {
        // What was used before a pause is billed when it is over, and a period that is corrected is measured anew.
        const [found] = await tx.query<UnbilledUsageResponse>(
          `SELECT least(
             (SELECT min(coalesce(i.billed_to, i.start_on))
              FROM price_plan p
              JOIN subscription_item i
                ON i.tenant_id = p.tenant_id AND i.price_plan_id = p.id AND i.status <> 'terminated'
              JOIN subscription s ON s.tenant_id = i.tenant_id AND s.id = i.subscription_id
              WHERE p.tenant_id = $1 AND p.usage_metric_id IS NOT NULL
                AND (i.next_due_on IS NOT NULL OR s.status = 'paused')),
             (SELECT min(c.service_from)
              FROM usage_correction u
              JOIN charge c ON c.tenant_id = u.tenant_id AND c.closing_id = u.closing_id
              WHERE u.tenant_id = $1)) AS since`,
          [tx.tenantId],
        );
        return { since: found?.since ?? null };
      },
      { readOnly: true },
    );
  }
}
