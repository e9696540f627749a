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
        // What was used before a pause is billed when it is over.
        const [found] = await tx.query<UnbilledUsageResponse>(
          `SELECT min(coalesce(i.billed_to, i.start_on)) AS since
           FROM price_plan p
           JOIN subscription_item i ON i.tenant_id = p.tenant_id AND i.price_plan_id = p.id AND i.status <> 'terminated'
           JOIN subscription s ON s.tenant_id = i.tenant_id AND s.id = i.subscription_id
           WHERE p.tenant_id = $1 AND p.usage_metric_id IS NOT NULL
             AND (i.next_due_on IS NOT NULL OR s.status = 'paused')`,
          [tx.tenantId],
        );
        return { since: found?.since ?? null };
      },
      { readOnly: true },
    );
  }
}
