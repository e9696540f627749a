import type { PaymentMethodState } from '@kontor/contracts';
import { invariant, isUuid, notFound } from '@kontor/kernel';
import { Replicas, type RowTable, type TenantTx } from '@kontor/persistence';
import { type ListColumn, type ListQuery, listRows, page, type Page } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import * as tables from '../db/tables.js';
import { representBillingGroups, representPlans, representPricePlansById } from '../catalogue/catalogue.read.js';
import { representCustomersById } from '../customers/customer.read.js';
import type { CouponRow } from '../db/catalogue.row.js';
import type { SubscriptionItemRow } from '../db/subscription-item.row.js';
import type { SubscriptionRow } from '../db/subscription.row.js';
import { latestReadings } from './latest-readings.js';
import { loadPrices } from '../catalogue/prices.js';
import { representItem, representSubscription } from './represent-subscription.js';
import type { SubscriptionJson } from './subscription.schema.js';

const COLUMNS: Readonly<Record<string, string | ListColumn>> = {
  customer: { sql: 'customer_id', type: 'uuid' },
  plan: { sql: 'plan_id', type: 'uuid' },
  nextBillingDate: {
    sql: `(SELECT (min(i.next_due_on) || ' 00:00')::timestamp AT TIME ZONE 'UTC' FROM subscription_item i
       WHERE i.tenant_id = t.tenant_id AND i.subscription_id = t.id)`,
  },
  status: 'status',
  externalId: 'external_id',
  number: 'number',
  createdAt: 'created_at',
};

/** Coupons that discounts of items come from; no query when there are none. */
async function couponsOf(tx: TenantTx, items: readonly SubscriptionItemRow[]): Promise<Map<string, CouponRow>> {
  const ids = items.flatMap(({ discounts }) => (discounts ?? []).flatMap(({ couponId }) => couponId ?? []));
  const rows = await tables.coupons.findByIds(tx, ids);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Subscriptions as answers and events show them, in a constant number of queries however many. */
@Injectable()
export class ReadSubscriptions {
  constructor(private readonly replicas: Replicas) {}

  /** By id, else by number or externalId. @throws DomainError `not_found` */
  async get(tx: TenantTx, id: string): Promise<SubscriptionJson> {
    const row = isUuid(id) ? await tables.subscriptions.get(tx, id) : null;
    if (!row) throw notFound('Subscription');
    return this.representOne(tx, row);
  }

  /** @throws DomainError `not_found` */
  async item(tx: TenantTx, id: string) {
    const item = await tables.subscriptionItems.get(tx, id);
    if (!item) throw notFound('Subscription item');
    const subscription = await tables.subscriptions.findOneOrFail(tx, { id: item.subscriptionId });
    const customers = await representCustomersById(tx, [subscription.customerId]);
    const parents = await tables.subscriptionItems.findByIds(
      tx,
      [item.parentId].filter((parent) => parent !== null),
    );
    const pricePlans = await representPricePlansById(
      tx,
      [item, ...parents].map(({ pricePlanId }) => pricePlanId),
    );
    const plans = await this.byId(tx, tables.plans, [subscription.planId], representPlans);
    return representItem(item, subscription, {
      plan: (subscription.planId && plans.get(subscription.planId)) || null,
      items: parents,
      pricePlans,
      values: await latestReadings(tx, [id]),
      coupons: await couponsOf(tx, [item]),
      zone: customers.get(subscription.customerId)?.timeZone ?? 'Europe/Berlin',
    });
  }

  async list(tx: TenantTx, list: ListQuery): Promise<Page<SubscriptionJson>> {
    const { rows, total } = await listRows(tx, list, {
      table: tables.subscriptions,
      columns: COLUMNS,
      search: ['number', 'name', 'external_id'],
    });
    return page(await this.represent(tx, rows), total, list);
  }

  async representOne(tx: TenantTx, row: SubscriptionRow): Promise<SubscriptionJson> {
    const [json] = await this.represent(tx, [row]);
    invariant(json, 'a subscription is represented');
    return json;
  }

  /** `known`: items that the caller holds already, by subscription. */
  async represent(
    tx: TenantTx,
    rows: readonly SubscriptionRow[],
    known?: ReadonlyMap<string, SubscriptionItemRow[]>,
  ): Promise<SubscriptionJson[]> {
    if (rows.length === 0) return [];
    const items = known ?? (await this.items(tx, rows));
    const all = [...items.values()].flat();
    const prices = await loadPrices(
      tx,
      all.map((item) => item.pricePlanId),
    );
    const pricePlans = await representPricePlansById(
      tx,
      all.map((item) => item.pricePlanId),
    );
    const customers = await representCustomersById(
      tx,
      rows.flatMap((row) => [row.customerId, ...(row.partnerId === null ? [] : [row.partnerId])]),
    );
    const plans = await this.byId(
      tx,
      tables.plans,
      rows.flatMap((row) => [row.planId, row.nextPlanId]),
      representPlans,
    );
    const groups = await this.byId(
      tx,
      tables.billingGroups,
      rows.map((row) => row.billingGroupId),
      representBillingGroups,
    );
    const methods = await this.methods(tx, rows);
    const values = await latestReadings(
      tx,
      all.map((item) => item.id),
    );
    const coupons = await couponsOf(tx, all);
    return rows.map((row) => {
      const customer = customers.get(row.customerId);
      invariant(customer, `customer ${row.customerId} exists`);
      return representSubscription(row, {
        customer,
        plan: (row.planId && plans.get(row.planId)) || null,
        group: (row.billingGroupId && groups.get(row.billingGroupId)) || null,
        items: items.get(row.id) ?? [],
        pricePlans,
        priceOf: prices.priceOf,
        values,
        coupons,
        paymentMethod: methods(row),
        partner: (row.partnerId && customers.get(row.partnerId)) || null,
        nextPlan: (row.nextPlanId && plans.get(row.nextPlanId)) || null,
        now: tx.now,
        zone: customer.timeZone,
      });
    });
  }

  private async items(tx: TenantTx, rows: readonly SubscriptionRow[]): Promise<Map<string, SubscriptionItemRow[]>> {
    const found = await tables.subscriptionItems.find(
      tx,
      { subscriptionId: rows.map((row) => row.id) },
      { orderBy: { subscriptionId: 'asc', ranking: 'asc' } },
    );
    const bySubscription = new Map<string, SubscriptionItemRow[]>(rows.map((row) => [row.id, []]));
    for (const item of found) bySubscription.get(item.subscriptionId)?.push(item);
    return bySubscription;
  }

  private async byId<R extends { id: string }, J>(
    tx: TenantTx,
    table: RowTable<R>,
    ids: readonly (string | null)[],
    represent: (tx: TenantTx, rows: readonly R[]) => Promise<J[]>,
  ): Promise<Map<string, J>> {
    const rows = await table.findByIds(
      tx,
      ids.filter((id) => id !== null),
    );
    const json = await represent(tx, rows);
    return new Map(rows.map((row, n) => [row.id, json[n] as J]));
  }

  /** The methods that subscriptions name themselves. */
  private async methods(
    tx: TenantTx,
    rows: readonly SubscriptionRow[],
  ): Promise<(row: SubscriptionRow) => PaymentMethodState | null> {
    const methods = await this.replicas.getMany<PaymentMethodState>(
      tx,
      'payment_method',
      rows.flatMap((row) => row.paymentMethodId ?? []),
    );
    return (row) => (row.paymentMethodId === null ? null : (methods.get(row.paymentMethodId) ?? null));
  }
}
