import type { TenantState } from '@kontor/contracts';
import { type Day, invariant } from '@kontor/kernel';
import { Replicas, selectRows, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { FALLBACK_ZONE } from '../customers/create-customer.js';
import { BillingGroupRow, PlanRow, UnitRow } from '../db/catalogue.row.js';
import { BillingSettingsRow } from '../db/settings.row.js';
import { SubscriptionItemRow } from '../db/subscription-item.row.js';
import { SubscriptionRow } from '../db/subscription.row.js';
import type { BilledCharge } from '../domain/charging/charge.js';
import { itemEnd } from '../domain/subscriptions/subscription.js';
import { type BillingSettings, customerSettings, effectiveSettings } from '../domain/settings/billing-settings.js';
import { loadPrices, type Prices } from '../subscriptions/prices.js';
import { type DefaultRoutes, loadDefaultRoutes } from './default-routes.js';
import { loadCorrections, type PendingCorrection } from './load-corrections.js';

/** A billing account as a run reads it. */
export interface Account {
  readonly customerId: string;
  readonly version: bigint;
  readonly chargesSeq: bigint;
  readonly requestedRunId: string | null;
  readonly requestedDate: Day | null;
  readonly customerVersion: number;
  readonly currencyCode: string;
  readonly language: string;
  readonly zone: string;
  readonly archived: boolean;
  readonly billingDisabled: boolean;
  /** Hours that usage has to arrive after its period. */
  readonly usageGraceHours: number;
  /** Billed periods whose usage has changed. */
  readonly corrections: readonly PendingCorrection[];
  readonly subscriptions: readonly AccountSubscription[];
}

export interface AccountSubscription {
  readonly subscription: SubscriptionRow;
  readonly items: readonly SubscriptionItemRow[];
}

/** Everything that rating a batch of accounts looks at. */
export interface BillingWorld {
  readonly now: Date;
  readonly tenantZone: string;
  readonly accounts: readonly Account[];
  readonly prices: Prices;
  readonly groups: ReadonlyMap<string, BillingGroupRow>;
  readonly plans: ReadonlyMap<string, PlanRow>;
  readonly units: ReadonlyMap<string, UnitRow>;
  /** Earlier lines that may have to be given back, by item. */
  readonly billed: ReadonlyMap<string, readonly BilledCharge[]>;
  readonly routes: DefaultRoutes;
}

interface CustomerOfAccount {
  readonly customerId: string;
  readonly version: bigint;
  readonly chargesSeq: bigint;
  readonly requestedRunId: string | null;
  readonly requestedDate: Day | null;
  readonly customerVersion: number;
  readonly currencyCode: string;
  readonly language: string;
  readonly zone: string;
  readonly status: string;
  readonly settings: Record<string, unknown>;
}

const billingOf = ({ billingDisabled, usageGraceHours }: BillingSettings): Pick<Account, 'billingDisabled' | 'usageGraceHours'> => ({
  billingDisabled,
  usageGraceHours,
});

const distinct = (ids: readonly (string | null)[]): string[] => [...new Set(ids.filter((id): id is string => id !== null))];

/** Loads billing accounts in a constant number of queries, however many there are. */
@Injectable()
export class LoadAccounts {
  constructor(private readonly replicas: Replicas) {}

  /** Only subscriptions of which something falls due until a day, or just the named one. */
  async execute(
    tx: TenantTx,
    customerIds: readonly string[],
    which: { readonly dueUntil: Day } | { readonly subscriptionId: string },
  ): Promise<BillingWorld> {
    const customers = await this.customers(tx, customerIds);
    const corrections = (await loadCorrections(tx, customerIds)).filter((one) => !('subscriptionId' in which) || one.subscriptionId === which.subscriptionId); // prettier-ignore
    const subscriptions = await this.subscriptions(tx, customerIds, which, corrections.map((one) => one.subscriptionId)); // prettier-ignore
    const items = await selectRows(tx, SubscriptionItemRow, 't.tenant_id = $1 and t.subscription_id = any($2::uuid[]) order by t.ranking', [
      tx.tenantId,
      subscriptions.map((row) => row.id),
    ]);
    const billed = await this.billed(tx, subscriptions, items);
    const prices = await loadPrices(tx, [
      ...items.flatMap((item) => [item.pricePlanId, item.nextPricePlanId]),
      ...[...billed.values()].flat().map((charge) => charge.pricePlanId),
      ...corrections.map((one) => one.pricePlanId),
    ]);
    const tenant = await this.replicas.get<TenantState>(tx, 'tenant', tx.tenantId);
    const settings = effectiveSettings((await tx.manager.findOneBy(BillingSettingsRow, { tenantId: tx.tenantId }))?.values ?? {});
    const unitIds = distinct([...items, ...corrections].map((item) => prices.productOf(item.pricePlanId).unitId));
    const correctionsOf = groupBy(corrections, (one) => one.customerId);
    const itemsOf = groupBy(items, (item) => item.subscriptionId);
    const subscriptionsOf = groupBy(subscriptions, (row) => row.customerId);
    return {
      now: tx.now,
      tenantZone: tenant?.timeZone ?? FALLBACK_ZONE,
      accounts: customers.map(({ status, settings: overrides, ...customer }) => ({
        ...customer,
        archived: status === 'STATUS_ARCHIVED',
        ...billingOf(customerSettings(settings, overrides)),
        corrections: correctionsOf.get(customer.customerId) ?? [],
        subscriptions: (subscriptionsOf.get(customer.customerId) ?? []).map((subscription) => ({
          subscription,
          items: itemsOf.get(subscription.id) ?? [],
        })),
      })),
      prices,
      groups: await this.byId(tx, BillingGroupRow, distinct(subscriptions.map((row) => row.billingGroupId))),
      plans: await this.byId(tx, PlanRow, distinct(subscriptions.map((row) => row.planId))),
      units: await this.byId(tx, UnitRow, unitIds),
      billed,
      routes: await loadDefaultRoutes(tx, subscriptions),
    };
  }

  private customers(tx: TenantTx, customerIds: readonly string[]): Promise<CustomerOfAccount[]> {
    return tx.query<CustomerOfAccount>(
      `select a.customer_id as "customerId", a.version, a.charges_seq as "chargesSeq", a.requested_run_id as "requestedRunId", a.requested_date as "requestedDate", c.version as "customerVersion",
         c.currency_code as "currencyCode", c.language, c.time_zone as zone, c.status, c.settings
       from billing_account a join customer c on c.tenant_id = a.tenant_id and c.id = a.customer_id
       where a.tenant_id = $1 and a.customer_id = any($2::uuid[]) order by a.customer_id`,
      [tx.tenantId, customerIds],
    );
  }

  private subscriptions(
    tx: TenantTx,
    customerIds: readonly string[],
    which: { readonly dueUntil: Day } | { readonly subscriptionId: string },
    corrected: readonly string[],
  ): Promise<SubscriptionRow[]> {
    if ('subscriptionId' in which)
      return selectRows(tx, SubscriptionRow, 't.tenant_id = $1 and t.id = $2', [tx.tenantId, which.subscriptionId]);
    return selectRows(
      tx,
      SubscriptionRow,
      `t.tenant_id = $1 and (t.status in ('active', 'cancelled') and t.id in (
         select i.subscription_id from subscription_item i where i.tenant_id = $1 and i.customer_id = any($2::uuid[]) and i.next_due_on <= $3)${corrected.length > 0 ? ' or t.id = any($4::uuid[])' : ''})
       order by t.customer_id, t.created_at, t.id`,
      [tx.tenantId, customerIds, which.dueUntil, ...(corrected.length > 0 ? [corrected] : [])],
    );
  }

  /** Lines of items that give something back: of which the rest is not used any more. */
  private async billed(
    tx: TenantTx,
    subscriptions: readonly SubscriptionRow[],
    items: readonly SubscriptionItemRow[],
  ): Promise<Map<string, BilledCharge[]>> {
    const byId = new Map(subscriptions.map((row) => [row.id, row]));
    const leaving = items.filter((item) => {
      const subscription = byId.get(item.subscriptionId);
      invariant(subscription, 'an item has its subscription');
      const end = itemEnd(subscription, item);
      return item.billedTo !== null && (item.creditFrom !== null || (end !== null && end < item.billedTo));
    });
    if (leaving.length === 0) return new Map();
    const charges = await tx.query<BilledCharge & { itemId: string }>(
      `select c.id, c.item_id as "itemId", c.price_plan_id as "pricePlanId", c.quantity, c.service_from as "serviceFrom", c.interval_from as "intervalFrom",
         c.interval_to as "intervalTo", c.used_to as "usedTo", c.used_minor as "usedAmount"
       from unnest($2::uuid[], $3::text[]) as x (item_id, from_day) join charge c on c.tenant_id = $1 and c.item_id = x.item_id and c.kind = 'regular' and c.used_to > x.from_day
       order by c.service_from, c.revision`,
      [
        tx.tenantId,
        leaving.map((item) => item.id),
        leaving.map((item) => earliest(item.creditFrom, itemEnd(byId.get(item.subscriptionId) as SubscriptionRow, item))),
      ],
    );
    return groupBy(charges, (charge) => charge.itemId);
  }

  private async byId<R extends { id: string }>(tx: TenantTx, row: new () => R, ids: readonly string[]): Promise<Map<string, R>> {
    if (ids.length === 0) return new Map();
    return new Map(
      (await selectRows(tx, row, 't.tenant_id = $1 and t.id = any($2::uuid[])', [tx.tenantId, ids])).map((found) => [found.id, found]),
    );
  }
}

const earliest = (a: Day | null, b: Day | null): Day | null => (a === null || (b !== null && b < a) ? b : a);

function groupBy<T>(list: readonly T[], key: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of list) {
    const group = groups.get(key(value));
    if (group) group.push(value);
    else groups.set(key(value), [value]);
  }
  return groups;
}
