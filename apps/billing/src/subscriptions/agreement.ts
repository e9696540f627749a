import type { TenantState } from '@kontor/contracts';
import { notFound } from '@kontor/kernel';
import { type Replicas, type TenantTx } from '@kontor/persistence';
import { CustomerRow } from '../db/customer.row.js';
import { BillingGroupRow } from '../db/catalogue.row.js';
import { SubscriptionItemRow } from '../db/subscription-item.row.js';
import { SubscriptionRow } from '../db/subscription.row.js';
import type { Zones } from '../domain/periods/due-time.js';
import type { Agreement } from '../domain/subscriptions/subscription.js';
import { FALLBACK_ZONE } from '../customers/create-customer.js';
import { loadPrices, type Prices } from './prices.js';

export type StoredAgreement = Agreement<SubscriptionRow, SubscriptionItemRow>;

/** A locked subscription with everything that its rules look at. */
export interface LoadedAgreement {
  readonly agreement: StoredAgreement;
  readonly customer: CustomerRow;
  readonly group: BillingGroupRow | null;
  readonly prices: Prices;
  readonly zones: Zones;
}

export const zonesOf = async (tx: TenantTx, replicas: Replicas, customer: CustomerRow): Promise<Zones> => ({
  tenant: (await replicas.get<TenantState>(tx, 'tenant', tx.tenantId))?.timeZone ?? FALLBACK_ZONE,
  customer: customer.timeZone,
});

/** All items of a subscription, in their order. */
export const itemsOf = (tx: TenantTx, subscriptionId: string): Promise<SubscriptionItemRow[]> =>
  tx.manager.find(SubscriptionItemRow, { where: { tenantId: tx.tenantId, subscriptionId }, order: { ranking: 'ASC' } });

/**
 * Locks the customer's billing account, then the subscription: in the order in which billing runs lock, so that neither
 * waits for the other in a circle. `extraPrices`: price plans that a change wants beside those of the items.
 * @throws DomainError `not_found`
 */
export async function lockAgreement(
  tx: TenantTx,
  replicas: Replicas,
  id: string,
  extraPrices: readonly string[] = [],
): Promise<LoadedAgreement> {
  const known = await tx.manager.findOne(SubscriptionRow, { select: { id: true, customerId: true }, where: { tenantId: tx.tenantId, id } });
  if (!known) throw notFound('Subscription');
  await tx.query('select 1 from billing_account where tenant_id = $1 and customer_id = $2 for update', [tx.tenantId, known.customerId]);
  const subscription = await tx.manager.findOneOrFail(SubscriptionRow, {
    where: { tenantId: tx.tenantId, id },
    lock: { mode: 'pessimistic_write' },
  });
  const items = await itemsOf(tx, id);
  const customer = await tx.manager.findOneByOrFail(CustomerRow, { tenantId: tx.tenantId, id: subscription.customerId });
  const group =
    subscription.billingGroupId === null
      ? null
      : await tx.manager.findOneByOrFail(BillingGroupRow, { tenantId: tx.tenantId, id: subscription.billingGroupId });
  const prices = await loadPrices(tx, [...items.flatMap((item) => [item.pricePlanId, item.nextPricePlanId]), ...extraPrices]);
  return { agreement: { subscription, items }, customer, group, prices, zones: await zonesOf(tx, replicas, customer) };
}
