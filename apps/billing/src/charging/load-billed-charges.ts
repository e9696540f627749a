import { type Day, invariant } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import type { SubscriptionItemRow } from '../db/subscription-item.row.js';
import type { SubscriptionRow } from '../db/subscription.row.js';
import type { BilledCharge } from '../domain/charging/credit-unused.js';
import { nextChange } from '../domain/subscriptions/planned-change.js';
import { itemEnd } from '../domain/subscriptions/subscription.js';

/** Earlier lines, by item, of items that are credited: the rest of their time is not used any more. */
export async function loadBilledCharges(
  tx: TenantTx,
  subscriptions: readonly SubscriptionRow[],
  items: readonly SubscriptionItemRow[],
): Promise<Map<string, BilledCharge[]>> {
  const byId = new Map(subscriptions.map((row) => [row.id, row]));
  const leaving = items.flatMap((item) => {
    const subscription = byId.get(item.subscriptionId);
    invariant(subscription, 'an item has its subscription');
    const end = itemEnd(subscription, item);
    const from = earliest(earliest(item.creditFrom, end), nextChange(item)?.from ?? null);
    return item.billedTo !== null && from !== null && (item.creditFrom !== null || from < item.billedTo)
      ? [{ itemId: item.id, from }]
      : [];
  });
  if (leaving.length === 0) return new Map();
  const charges = await tx.query<BilledCharge & { itemId: string }>(
    `SELECT c.id, c.item_id AS "itemId", c.price_plan_id AS "pricePlanId", c.quantity,
       c.service_from AS "serviceFrom", c.service_to AS "serviceTo", c.interval_from AS "intervalFrom", c.interval_to AS "intervalTo",
       c.used_to AS "usedTo", c.used_minor AS "usedAmount", c.explanation->'discounts' AS discounts,
       nullif(b.customer_id, s.customer_id) AS "recipientId"
     FROM unnest($2::uuid[], $3::text[]) AS x (item_id, from_day)
     JOIN charge c ON c.tenant_id = $1 AND c.item_id = x.item_id AND c.kind = 'regular' AND c.used_to > x.from_day
     JOIN subscription s ON s.tenant_id = $1 AND s.id = c.subscription_id
     LEFT JOIN charge_batch b ON b.tenant_id = $1 AND b.id = c.batch_id
     ORDER BY c.service_from, c.revision`,
    [tx.tenantId, leaving.map(({ itemId }) => itemId), leaving.map(({ from }) => from)],
  );
  return Map.groupBy(charges, ({ itemId }) => itemId);
}

const earliest = (a: Day | null, b: Day | null): Day | null => (a === null || (b !== null && b < a) ? b : a);
