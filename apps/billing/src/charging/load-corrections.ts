import type { TenantTx } from '@kontor/persistence';
import type { PendingCorrection } from '../domain/charging/rating-context.js';

/** Corrections of customers whose first lines are stored, with what was charged for their periods so far. */
export const loadCorrections = (tx: TenantTx, customerIds: readonly string[]): Promise<PendingCorrection[]> =>
  tx.query<PendingCorrection>(
    `SELECT u.customer_id AS "customerId", u.marked_on AS "markedOn", u.closing_id AS "closingId",
       base.id AS "chargeId", base.item_id AS "itemId", base.subscription_id AS "subscriptionId",
       base.revision AS "itemRevision", base.price_plan_id AS "pricePlanId",
       base.service_from AS "serviceFrom", base.service_to AS "serviceTo",
       base.interval_from AS "intervalFrom", base.interval_to AS "intervalTo",
       base.explanation->'discounts' AS discounts, last.quantity, total.charged, total.corrections,
       nullif(b.customer_id, u.customer_id) AS "recipientId",
       NOT EXISTS (
         SELECT 1 FROM subscription_item i
         WHERE i.tenant_id = u.tenant_id AND i.customer_id = u.customer_id AND i.next_due_on IS NOT NULL) AS alone,
       (SELECT min(i.next_due_on) FROM subscription_item i
         WHERE i.tenant_id = u.tenant_id AND i.customer_id = u.customer_id
           AND i.subscription_id <> base.subscription_id) AS "othersDueOn"
     FROM usage_correction u
     JOIN charge last ON last.tenant_id = u.tenant_id AND last.closing_id = u.closing_id
     JOIN charge base ON base.tenant_id = u.tenant_id AND base.item_id = last.item_id AND base.kind = 'regular'
       AND base.id = coalesce(last.credited_charge_id, last.id)
     LEFT JOIN charge_batch b ON b.tenant_id = base.tenant_id AND b.id = base.batch_id
     CROSS JOIN LATERAL (
       SELECT sum(c.net_minor - c.discount_minor)::bigint AS charged, (count(*) - 1)::int AS corrections
       FROM charge c
       WHERE c.tenant_id = u.tenant_id AND c.item_id = base.item_id
         AND (c.id = base.id OR (c.kind = 'correction' AND c.credited_charge_id = base.id))) total
     WHERE u.tenant_id = $1 AND u.customer_id = ANY($2::uuid[])
     ORDER BY base.service_from, base.id`,
    [tx.tenantId, customerIds],
  );
