import type { TenantTx } from '@kontor/persistence';
import { loadPrices } from '../catalogue/prices.js';

/**
 * Locks a customer's billing account, and says whether usage was billed up to the end of a day, also of what has ended: a late event has
 * its period measured again. Null for a customer who was never billed.
 */
export async function lockMeteredAccount(tx: TenantTx, customerId: string): Promise<{ isMetered: boolean } | null> {
  const [account] = await tx.query(
    'SELECT 1 FROM billing_account WHERE tenant_id = $1 AND customer_id = $2 FOR UPDATE',
    [tx.tenantId, customerId],
  );
  if (!account) return null;
  const billed = await tx.query<{ pricePlanId: string }>(
    `SELECT DISTINCT c.price_plan_id AS "pricePlanId"
     FROM subscription_item i
     JOIN charge c ON c.tenant_id = i.tenant_id AND c.item_id = i.id
     WHERE i.tenant_id = $1 AND i.customer_id = $2`,
    [tx.tenantId, customerId],
  );
  const ids = billed.map(({ pricePlanId }) => pricePlanId);
  const { priceOf } = await loadPrices(tx, ids);
  return { isMetered: ids.some((id) => Boolean(priceOf(id).meter)) };
}
