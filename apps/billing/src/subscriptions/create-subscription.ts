import { newUuid, unknownReference, validationFailed } from '@kontor/kernel';
import {
  Database,
  type PartResult,
  Replicas,
  settledInTurn,
  SharedTransactions,
  type TenantTx,
} from '@kontor/persistence';
import { requestContext } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import * as tables from '../db/tables.js';
import { refuse } from '../settings/check-custom-fields.js';
import { tenantZone } from '../settings/tenant.js';
import type { BillingGroupRow, PlanItemRow, PlanRow, PricePlanRow } from '../db/catalogue.row.js';
import type { CustomerRow } from '../db/customer.row.js';
import type { CustomFieldRow } from '../db/settings.row.js';
import { refusingDuplicates } from '../db/constraints.js';
import { nextNumbers } from '../db/number-series.js';
import type { SubscriptionItemRow } from '../db/subscription-item.row.js';
import type { SubscriptionRow } from '../db/subscription.row.js';
import { pricePlansOf } from '../domain/subscriptions/planned-change.js';
import { activate } from '../domain/subscriptions/activate.js';
import type { PriceOf } from '../domain/subscriptions/subscription.js';
import type { Zones } from '../domain/periods/due-time.js';
import { customFieldViolations } from '../domain/settings/custom-fields.js';
import { lockAccount } from './agreement.js';
import { ApplyDiscounts } from './apply-discounts.js';
import { newSubscription } from './new-subscription.js';
import { itemsOn, mustTakeItems, wantedCoupons, wantedPricePlans } from './new-items.js';
import { loadPrices, type Prices } from '../catalogue/prices.js';
import { billingGroupFor, lockPricePlans, mustTakeSubscriptions, type Sold } from './references.js';
import type { SubscriptionJson } from './subscription.schema.js';
import { type ChangedAgreement, SaveAgreement, type SubscriptionNotice } from './save-agreement.js';
import type { NewSubscriptionDto } from './subscription.dto.js';

/** How a subscription is created as a part of something larger. */
export interface CreatedWithin {
  /** Prices of which state are sold; active ones when absent. */
  readonly sold?: Sold;
  /** Drawn from the series before; absent: it is drawn with the insert. */
  readonly number?: string | null;
}

interface NewItems {
  readonly fromPlan: readonly SubscriptionItemRow[];
  readonly added: readonly SubscriptionItemRow[];
}

/**
 * Creates a subscription from a plan, from single items, or from both; active at once where wanted. Those of one caller that come at
 * the same time share a transaction, as all of a tenant take a number from one row; each is answered and refused by itself.
 * @throws DomainError `unknown_reference`, `validation_failed`, `too_many_items`, `already_exists` (externalId),
 * `customer_archived`, and what redeeming a coupon refuses
 */
@Injectable()
export class CreateSubscription {
  private readonly shared: SharedTransactions<NewSubscriptionDto, SubscriptionJson>;

  constructor(
    database: Database,
    private readonly replicas: Replicas,
    private readonly save: SaveAgreement,
    private readonly discounts: ApplyDiscounts,
  ) {
    this.shared = new SharedTransactions(database, (tx, bodies) => this.createMany(tx, bodies));
  }

  execute(tenantId: string, body: NewSubscriptionDto): Promise<SubscriptionJson> {
    // Redeeming a coupon writes before all is decided: who names one is alone in its transaction.
    const lane = namesCoupon(body) ? newUuid() : (requestContext()?.principal?.subjectId ?? '');
    return this.shared.run(tenantId, lane, body);
  }

  /** {@link execute} as a part of something larger. */
  async within(tx: TenantTx, body: NewSubscriptionDto, how: CreatedWithin = {}): Promise<SubscriptionJson> {
    const [created] = await this.createMany(tx, [body], how);
    if (created?.status !== 'fulfilled') throw created?.reason;
    return created.value;
  }

  /** Several in one transaction, each by itself: refused, or created. @throws what concerns all of them */
  async createMany(
    tx: TenantTx,
    bodies: readonly NewSubscriptionDto[],
    { sold = 'active', number = null }: CreatedWithin = {},
  ): Promise<PartResult<SubscriptionJson>[]> {
    const known = await this.load(tx, bodies, sold);
    const drafts = await settledInTurn(bodies, (body) => this.draft(tx, known, body));
    const prices = await loadPrices(
      tx,
      drafts.flatMap((draft) => (draft.status === 'fulfilled' ? itemsOf(draft.value).flatMap(pricePlansOf) : [])),
    );
    const agreed = await settledInTurn(drafts, async (draft) => {
      if (draft.status === 'rejected') throw draft.reason;
      const items = await this.discounted(tx, draft.value, prices.priceOf);
      return agreedOn(tx, draft.value, items, prices);
    });
    const changes = agreed.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const numbers = number === null ? await nextNumbers(tx, 'subscription', changes.length) : [number];
    const save = (): Promise<SubscriptionJson[]> =>
      this.save.executeMany(
        tx,
        changes.map((change, i) => ({
          ...change,
          after: { ...change.after, subscription: { ...change.after.subscription, number: numbers[i]! } },
        })),
      );
    // Of several nobody knows whose external id it is: they are tried one by one.
    const saved = await (bodies.length > 1
      ? save()
      : refusingDuplicates({ subscription_external_id_unique: 'externalId' }, save));
    const rest = saved.values();
    return agreed.map((result) =>
      result.status === 'fulfilled' ? { status: 'fulfilled', value: rest.next().value as SubscriptionJson } : result,
    );
  }

  private async load(tx: TenantTx, bodies: readonly NewSubscriptionDto[], sold: Sold): Promise<Known> {
    // Locked, so that none is archived meanwhile.
    const customers = await tables.customers.find(
      tx,
      { id: [...new Set(bodies.map(({ customer }) => customer.toLowerCase()))] },
      { orderBy: { id: 'asc' }, lock: 'share' },
    );
    const plans = await tables.plans.findByIds(
      tx,
      bodies.flatMap(({ plan }) => plan ?? []),
    );
    const planIds = plans.map(({ id }) => id);
    const inOrder = { planId: 'asc', ranking: 'asc' } as const;
    const planItems =
      planIds.length === 0 ? [] : await tables.planItems.find(tx, { planId: planIds }, { orderBy: inOrder });
    const pricePlanIds = [
      ...bodies.flatMap(({ items }) => items?.flatMap(wantedPricePlans) ?? []),
      ...planItems.map((item) => item.pricePlanId),
    ];
    return {
      customers: new Map(customers.map((customer) => [customer.id, customer])),
      sold,
      plans: new Map(plans.map((plan) => [plan.id, plan])),
      planItems: Map.groupBy(planItems, (item) => item.planId),
      pricePlans: await lockPricePlans(tx, pricePlanIds, sold),
      customFields: await tables.customFields.find(tx, { object: 'subscription' }),
      tenantZone: await tenantZone(tx, this.replicas),
    };
  }

  private async draft(tx: TenantTx, known: Known, body: NewSubscriptionDto): Promise<DraftAgreement> {
    const customer = mustTakeSubscriptions(known.customers.get(body.customer.toLowerCase()));
    const plan = body.plan ? planFor(known, body.plan) : null;
    refuse(customFieldViolations(body.customFields ?? null, known.customFields));
    const group = await billingGroupFor(tx, customer.id, body.billingGroup);
    const subscription = await newSubscription(tx, this.replicas, body, {
      customerId: customer.id,
      plan,
      billingGroupId: group?.id ?? null,
    });
    const items = itemsFor(tx, known, subscription, plan, body);
    const zones = { tenant: known.tenantZone, customer: customer.timeZone };
    return { customer, group, zones, subscription, body, ...items };
  }

  /** The items with the discounts of the coupons that they or the subscription name. */
  private async discounted(
    tx: TenantTx,
    { subscription, fromPlan, added, body }: DraftAgreement,
    priceOf: PriceOf,
  ): Promise<SubscriptionItemRow[]> {
    const items = itemsOf({ fromPlan, added });
    if (!namesCoupon(body)) return items;
    const wanted = wantedCoupons(added, body.items ?? [], (n) => `items[${n}].coupon`);
    const owner = { customerId: subscription.customerId, subscriptionId: subscription.id };
    await lockAccount(tx, owner.customerId);
    const discounted = await this.discounts.couponsOfItems(tx, owner, items, wanted, priceOf);
    return body.coupon ? this.discounts.couponOfSubscription(tx, owner, discounted, body.coupon, priceOf) : discounted;
  }
}

interface Known {
  readonly customers: ReadonlyMap<string, CustomerRow>;
  readonly sold: Sold;
  readonly plans: ReadonlyMap<string, PlanRow>;
  readonly planItems: ReadonlyMap<string, PlanItemRow[]>;
  /** Locked against changes meanwhile. */
  readonly pricePlans: ReadonlyMap<string, PricePlanRow>;
  readonly customFields: readonly CustomFieldRow[];
  readonly tenantZone: string;
}

interface DraftAgreement extends NewItems {
  readonly body: NewSubscriptionDto;
  readonly customer: CustomerRow;
  readonly group: BillingGroupRow | null;
  readonly zones: Zones;
  readonly subscription: SubscriptionRow;
}

const itemsOf = ({ fromPlan, added }: NewItems): SubscriptionItemRow[] => [...fromPlan, ...added];

export const namesCoupon = (body: NewSubscriptionDto): boolean =>
  Boolean(body.coupon) || (body.items ?? []).some(({ coupon }) => coupon);

function planFor({ plans, sold }: Known, id: string): PlanRow {
  const plan = plans.get(id.toLowerCase());
  if (!plan) throw unknownReference('plan');
  if (plan.status !== 'active' && sold === 'active')
    throw validationFailed('plan', `plan must be active; its status is ${plan.status}.`, 'not_active');
  return plan;
}

function itemsFor(
  tx: TenantTx,
  { planItems, pricePlans }: Known,
  owner: SubscriptionRow,
  plan: PlanRow | null,
  body: NewSubscriptionDto,
): NewItems {
  const bundled = (plan && planItems.get(plan.id)) ?? [];
  const wanted = body.items ?? [];
  if (bundled.length + wanted.length === 0)
    throw validationFailed(
      plan ? 'plan' : 'items',
      'A plan with prices, or at least one item, is required.',
      'required',
    );
  mustTakeItems([], bundled.length + wanted.length);
  const fromPlan = itemsOn(
    tx,
    pricePlans,
    owner,
    bundled.map((item) => ({ pricePlan: item.pricePlanId, quantity: item.quantity })),
    { type: 'plan', firstRanking: 0 },
  );
  const kind = { type: plan ? 'addon' : 'product', firstRanking: fromPlan.length } as const;
  return { fromPlan, added: itemsOn(tx, pricePlans, owner, wanted, kind) };
}

function agreedOn(
  tx: TenantTx,
  { customer, group, zones, subscription, body }: DraftAgreement,
  items: SubscriptionItemRow[],
  prices: Prices,
): ChangedAgreement {
  const loaded = { customer, group, prices, zones };
  const created: SubscriptionNotice = { type: 'subscription.created' };
  if (!body.activate) return { loaded, after: { subscription, items }, notices: [created] };
  const terms = { now: tx.now, zone: zones.customer, trialDays: null, billingStart: null, group };
  const after = activate({ subscription, items }, prices.priceOf, terms);
  return { loaded, after, notices: [created, { type: 'subscription.activated' }] };
}
