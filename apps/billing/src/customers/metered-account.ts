import type { TenantTx } from '@kontor/persistence';
import * as tables from '../db/tables.js';
import { isMeteredBy } from '../domain/measurements/measured-quantity.js';

/** Locks a customer's billing account, and says whether usage was billed to it. Null for a customer who was never billed. */
export async function lockMeteredAccount(tx: TenantTx, customerId: string): Promise<{ isMetered: boolean } | null> {
  const [account] = await tx.query(
    'SELECT 1 FROM billing_account WHERE tenant_id = $1 AND customer_id = $2 FOR UPDATE',
    [tx.tenantId, customerId],
  );
  return account ? { isMetered: await wasMetered(tx, customerId) } : null;
}

/** Whether usage was billed up to the end of a day, also of what has ended: a late event has its period measured again. */
export async function wasMetered(tx: TenantTx, customerId: string): Promise<boolean> {
  const plans = await tables.pricePlans.where(
    tx,
    `t.id IN (
       SELECT c.price_plan_id
       FROM subscription_item i
       JOIN charge c ON c.tenant_id = i.tenant_id AND c.item_id = i.id
       WHERE i.tenant_id = $1 AND i.customer_id = $2)`,
    [customerId],
  );
  const measurements = await tables.measurements.findByIds(
    tx,
    plans.map(({ measurementId }) => measurementId),
  );
  const rulesOf = new Map(measurements.map((measurement) => [measurement.id, measurement]));
  return plans.some(({ usageMetricId, measurementId, payInAdvance }) => {
    const rules = rulesOf.get(measurementId);
    return usageMetricId !== null || (rules !== undefined && isMeteredBy(rules, payInAdvance));
  });
}
