import type { Day } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import type { BilledUsage } from '../domain/charging/correct-usage.js';

/** A correction that waits for its account's next billing. */
export interface PendingCorrection extends BilledUsage {
  readonly customerId: string;
  readonly subscriptionId: string;
  readonly markedOn: Day;
  /** Nothing else of the account falls due any more. */
  readonly alone: boolean;
}

/** Corrections of customers whose first lines are stored, with what was charged for their periods so far. */
export const loadCorrections = (tx: TenantTx, customerIds: readonly string[]): Promise<PendingCorrection[]> =>
  tx.query<PendingCorrection>(
    `select u.customer_id as "customerId", u.marked_on as "markedOn", u.closing_id as "closingId", base.id as "chargeId", base.item_id as "itemId",
       base.subscription_id as "subscriptionId", base.revision as "itemRevision", base.price_plan_id as "pricePlanId", base.service_from as "serviceFrom",
       base.service_to as "serviceTo", base.interval_from as "intervalFrom", base.interval_to as "intervalTo", last.quantity, total.charged, total.corrections,
       not exists (select 1 from subscription_item i where i.tenant_id = u.tenant_id and i.customer_id = u.customer_id and i.next_due_on is not null) as alone
     from usage_correction u
     join charge last on last.tenant_id = u.tenant_id and last.closing_id = u.closing_id
     join charge base on base.tenant_id = u.tenant_id and base.item_id = last.item_id and base.kind = 'regular' and base.id = coalesce(last.credited_charge_id, last.id)
     cross join lateral (
       select sum(c.net_minor - c.discount_minor)::bigint as charged, (count(*) - 1)::int as corrections from charge c
       where c.tenant_id = u.tenant_id and c.item_id = base.item_id and (c.id = base.id or (c.kind = 'correction' and c.credited_charge_id = base.id))) total
     where u.tenant_id = $1 and u.customer_id = any($2::uuid[]) order by base.service_from, base.id`,
    [tx.tenantId, customerIds],
  );
