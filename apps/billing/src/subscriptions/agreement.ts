import { notFound } from '@kontor/kernel';
import { type Replicas, type TenantTx } from '@kontor/persistence';
import * as tables from '../db/tables.js';
import type { CustomerRow } from '../db/customer.row.js';
import type { BillingGroupRow } from '../db/catalogue.row.js';
import type { SubscriptionItemRow } from '../db/subscription-item.row.js';
import type { SubscriptionRow } from '../db/subscription.row.js';
import type { Zones } from '../domain/periods/due-time.js';
import type { Agreement } from '../domain/subscriptions/subscription.js';
import { pricePlansOf } from '../domain/subscriptions/planned-change.js';
import { tenantZone } from '../settings/tenant.js';
import { loadPrices, type Prices } from '../catalogue/prices.js';

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
  tenant: await tenantZone(tx, replicas),
  customer: customer.timeZone,
});

/** All items of a subscription, in their order. */
export const itemsOf = (tx: TenantTx, subscriptionId: string): Promise<SubscriptionItemRow[]> =>
  tables.subscriptionItems.find(tx, { subscriptionId }, { orderBy: { ranking: 'asc' } });

/** A customer's billing account is locked before everything else, but for a customer that is archived; one without subscriptions has none. */
export const lockAccount = (tx: TenantTx, customerId: string): Promise<unknown> =>
  tx.query('SELECT 1 FROM billing_account WHERE tenant_id = $1 AND customer_id = $2 FOR UPDATE', [
    tx.tenantId,
    customerId,
  ]);

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
  const known = await tables.subscriptions.get(tx, id);
  if (!known) throw notFound('Subscription');
  await lockAccount(tx, known.customerId);
  // Read again: what waited for the account may have deleted the draft.
  const subscription = await tables.subscriptions.get(tx, id, { lock: 'update' });
  if (!subscription) throw notFound('Subscription');
  // Its customer was merged meanwhile: it is billed with the account of another.
  if (subscription.customerId !== known.customerId) await lockAccount(tx, subscription.customerId);
  const [loaded] = await loadAgreements(tx, replicas, [subscription], extraPrices);
  return loaded!;
}

/** Several subscriptions of one customer that are locked with its account, by as many statements as one. */
export async function loadAgreements(
  tx: TenantTx,
  replicas: Replicas,
  subscriptions: readonly SubscriptionRow[],
  extraPrices: readonly string[] = [],
): Promise<LoadedAgreement[]> {
  const [first] = subscriptions;
  if (!first) return [];
  const ids = subscriptions.map(({ id }) => id);
  const items = await tables.subscriptionItems.find(
    tx,
    { subscriptionId: ids },
    { orderBy: { subscriptionId: 'asc', ranking: 'asc' } },
  );
  const itemsById = Map.groupBy(items, ({ subscriptionId }) => subscriptionId);
  const customer = await tables.customers.findOneOrFail(tx, { id: first.customerId });
  const groups = await tables.billingGroups.findByIds(
    tx,
    subscriptions.flatMap(({ billingGroupId }) => billingGroupId ?? []),
  );
  const groupById = new Map(groups.map((group) => [group.id, group]));
  const prices = await loadPrices(tx, [...items.flatMap(pricePlansOf), ...extraPrices]);
  const zones = await zonesOf(tx, replicas, customer);
  return subscriptions.map((subscription) => ({
    agreement: { subscription, items: itemsById.get(subscription.id) ?? [] },
    customer,
    group: subscription.billingGroupId === null ? null : groupById.get(subscription.billingGroupId)!,
    prices,
    zones,
  }));
}
