import { notFound } from '@kontor/kernel';
import { Replicas, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import * as tables from '../db/tables.js';
import { representPlans } from '../catalogue/catalogue.read.js';
import type { PlanJson } from '../catalogue/catalogue.schema.js';
import { loadPrices } from '../catalogue/prices.js';
import { CHANGE_CREDITS } from '../domain/subscriptions/planned-change.js';
import { isAllowed, planDirection } from '../domain/subscriptions/change-direction.js';
import { broughtLines, pairItems, planTargets } from '../domain/subscriptions/change-plan.js';
import { type LoadedAgreement, loadAgreements } from './agreement.js';
import { isFor } from './references.js';
import { pendingChanges } from './represent-subscription.js';
import { ReadSubscriptions } from './subscription.read.js';
import { planOf, timingOf } from './wanted-change.js';

const MAX_PLANS = 100;

const withoutItems = ({ items: _items, ...plan }: PlanJson) => plan;

/** What a subscription can be changed to, and what waits. */
@Injectable()
export class ReadPlanOptions {
  constructor(
    private readonly replicas: Replicas,
    private readonly read: ReadSubscriptions,
  ) {}

  /** @throws DomainError `not_found` */
  async options(tx: TenantTx, id: string) {
    const loaded = await this.load(tx, id);
    const plan = await planOf(tx, loaded);
    const { pendingPlanChange, plan: current } = await this.read.get(tx, id);
    return {
      current,
      options: await this.others(tx, loaded),
      timings: ['immediately', 'end_of_period', 'custom'],
      credits: [...CHANGE_CREDITS],
      defaultTiming: timingOf(plan) as 'immediately' | 'end_of_period',
      pendingPlanChange,
    };
  }

  /** @throws DomainError `not_found` */
  async pending(tx: TenantTx, id: string) {
    const { agreement, zones } = await this.load(tx, id);
    const { pendingPlanChange } = await this.read.get(tx, id);
    const ofItems = agreement.items
      .filter(({ status }) => status !== 'terminated')
      .flatMap((item) =>
        pendingChanges(item, zones.customer).map((change) => ({ ...change, subscriptionItem: item.id, plan: null })),
      )
      .filter(({ id: changeId }) => changeId !== pendingPlanChange?.id);
    const ofPlan = pendingPlanChange
      ? [{ ...pendingPlanChange, kind: 'plan' as const, subscriptionItem: null, pricePlan: null, quantity: null }]
      : [];
    return { data: [...ofPlan, ...ofItems].sort((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0)) };
  }

  private async load(tx: TenantTx, id: string): Promise<LoadedAgreement> {
    const subscription = await tables.subscriptions.get(tx, id);
    if (!subscription) throw notFound('Subscription');
    const [loaded] = await loadAgreements(tx, this.replicas, [subscription]);
    return loaded!;
  }

  /** Other active plans of the family with their directions. */
  private async others(tx: TenantTx, loaded: LoadedAgreement) {
    const plan = await planOf(tx, loaded);
    if (!plan?.familyId) return [];
    const rows = await tables.plans.find(
      tx,
      { familyId: plan.familyId, status: 'active' },
      { orderBy: { createdAt: 'asc', id: 'asc' }, limit: MAX_PLANS },
    );
    const lines = await tables.planItems.find(
      tx,
      { planId: rows.map((row) => row.id) },
      { orderBy: { planId: 'asc', ranking: 'asc' } },
    );
    const prices = await loadPrices(tx, [
      ...lines.map((line) => line.pricePlanId),
      ...loaded.agreement.items.map((item) => item.pricePlanId),
    ]);
    const linesOf = Map.groupBy(lines, ({ planId }) => planId);
    const quantities = new Map((linesOf.get(plan.id) ?? []).map((line) => [line.pricePlanId, line.quantity]));
    const items = loaded.agreement.items.filter(
      ({ type, status, endsOn }) => type === 'plan' && status !== 'terminated' && endsOn === null,
    );
    const currencies = new Set(items.map((item) => prices.priceOf(item.pricePlanId).currencyCode));
    const directed = rows.flatMap((row) => {
      const ofPlan = linesOf.get(row.id) ?? [];
      const fits = ofPlan.every((line) => currencies.has(prices.priceOf(line.pricePlanId).currencyCode));
      if (row.id === plan.id || ofPlan.length === 0 || !fits) return [];
      const pairs = pairItems(
        items,
        ofPlan.map((line) => ({ ...line, productId: prices.productOf(line.pricePlanId).id })),
        (item) => prices.productOf(item.pricePlanId).id,
        (item) => quantities.get(item.pricePlanId),
      );
      const { customerId } = loaded.agreement.subscription;
      const brought = broughtLines(pairs).map((line) => prices.planOf(line.pricePlanId));
      if (!brought.every((price) => price.status === 'active' && isFor(price, customerId))) return [];
      const { before, after } = planTargets(pairs, prices.priceOf);
      const direction = planDirection({ rank: plan.rank, lines: before }, { rank: row.rank, lines: after });
      return isAllowed(plan.changeBehaviour, direction) ? [{ row, direction }] : [];
    });
    const represented = await representPlans(
      tx,
      directed.map(({ row }) => row),
    );
    return directed.flatMap(({ direction }, n) => {
      const json = represented[n];
      return json ? [{ plan: withoutItems(json), direction }] : [];
    });
  }
}
