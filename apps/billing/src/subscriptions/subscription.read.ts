import type { PaymentMethodState } from '@kontor/contracts';
import { invariant, isUuid, notFound } from '@kontor/kernel';
import { Replicas, type TenantTx } from '@kontor/persistence';
import { type ListColumn, type ListQuery, page, type Page } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { representBillingGroups, representPlans, representPricePlansById } from '../catalogue/catalogue.read.js';
import { representCustomersById } from '../customers/customer.read.js';
import { BillingGroupRow, PlanRow } from '../db/catalogue.row.js';
import { listRows } from '../db/list-rows.js';
import { SubscriptionItemRow } from '../db/subscription-item.row.js';
import { SubscriptionRow } from '../db/subscription.row.js';
import { latestValues } from '../measurements/measurement-values.js';
import { loadPrices } from './prices.js';
import { representItem, representSubscription, type SubscriptionJson } from './represent-subscription.js';

const COLUMNS: Readonly<Record<string, string | ListColumn>> = {
  customer: { sql: 'customer_id', type: 'uuid' },
  status: 'status',
  externalId: 'external_id',
  number: 'number',
  createdAt: 'created_at',
};

/** Subscriptions as answers and events show them, in a constant number of queries however many. */
@Injectable()
export class ReadSubscriptions {
  constructor(private readonly replicas: Replicas) {}

  /** By id, else by number or externalId. @throws DomainError `not_found` */
  async one(tx: TenantTx, id: string): Promise<SubscriptionJson> {
    const row = isUuid(id) ? await tx.manager.findOneBy(SubscriptionRow, { tenantId: tx.tenantId, id }) : null;
    if (!row) throw notFound('Subscription');
    return this.representOne(tx, row);
  }

  /** @throws DomainError `not_found` */
  async item(tx: TenantTx, id: string) {
    const item = await tx.manager.findOneBy(SubscriptionItemRow, { tenantId: tx.tenantId, id });
    if (!item) throw notFound('Subscription item');
    const subscription = await tx.manager.findOneByOrFail(SubscriptionRow, { tenantId: tx.tenantId, id: item.subscriptionId });
    const customers = await representCustomersById(tx, [subscription.customerId]);
    const pricePlans = await representPricePlansById(tx, [item.pricePlanId]);
    const plans = await this.byId(tx, PlanRow, [subscription.planId], representPlans);
    return representItem(item, subscription, {
      plan: (subscription.planId && plans.get(subscription.planId)) || null,
      pricePlans,
      values: await latestValues(tx, [id]),
      zone: customers.get(subscription.customerId)?.timeZone ?? 'Europe/Berlin',
    });
  }

  async list(tx: TenantTx, list: ListQuery): Promise<Page<SubscriptionJson>> {
    const { rows, total } = await listRows(tx, list, {
      row: SubscriptionRow,
      table: 'subscription',
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
    const prices = await loadPrices(tx, all.map((item) => item.pricePlanId)); // prettier-ignore
    const pricePlans = await representPricePlansById(tx, all.map((item) => item.pricePlanId)); // prettier-ignore
    const customers = await representCustomersById(tx, rows.map((row) => row.customerId)); // prettier-ignore
    const plans = await this.byId(tx, PlanRow, rows.map((row) => row.planId), representPlans); // prettier-ignore
    const groups = await this.byId(tx, BillingGroupRow, rows.map((row) => row.billingGroupId), representBillingGroups); // prettier-ignore
    const methods = await this.methods(tx, rows);
    const values = await latestValues(tx, all.map((item) => item.id)); // prettier-ignore
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
        paymentMethod: methods(row),
        now: tx.now,
        zone: customer.timeZone,
      });
    });
  }

  private async items(tx: TenantTx, rows: readonly SubscriptionRow[]): Promise<Map<string, SubscriptionItemRow[]>> {
    const found = await tx.manager.find(SubscriptionItemRow, {
      where: { tenantId: tx.tenantId, subscriptionId: In(rows.map((row) => row.id)) },
      order: { subscriptionId: 'ASC', ranking: 'ASC' },
    });
    const bySubscription = new Map<string, SubscriptionItemRow[]>(rows.map((row) => [row.id, []]));
    for (const item of found) bySubscription.get(item.subscriptionId)?.push(item);
    return bySubscription;
  }

  private async byId<R extends { id: string }, J>(
    tx: TenantTx,
    row: new () => R,
    ids: readonly (string | null)[],
    represent: (tx: TenantTx, rows: readonly R[]) => Promise<J[]>,
  ): Promise<Map<string, J>> {
    const wanted = [...new Set(ids.filter((id): id is string => id !== null))];
    if (wanted.length === 0) return new Map();
    const rows = await tx.manager.findBy(row as never, { tenantId: tx.tenantId, id: In(wanted) } as never);
    const json = await represent(tx, rows as R[]);
    return new Map((rows as R[]).map((found, n) => [found.id, json[n] as J]));
  }

  /** The methods that subscriptions name themselves. */
  private async methods(tx: TenantTx, rows: readonly SubscriptionRow[]): Promise<(row: SubscriptionRow) => PaymentMethodState | null> {
    const methods = await this.replicas.getMany<PaymentMethodState>(tx, 'payment_method', rows.flatMap((row) => row.paymentMethodId ?? [])); // prettier-ignore
    return (row) => (row.paymentMethodId === null ? null : (methods.get(row.paymentMethodId) ?? null));
  }
}
