import { type Day, dayOf, newUuid, notFound, startOfDay, unknownReference, validationFailed } from '@kontor/kernel';
import { Replicas, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import * as tables from '../db/tables.js';
import type { Prices } from '../catalogue/prices.js';
import { BillImmediately } from '../charging/bill-immediately.js';
import { RedeemCoupons } from '../coupons/redeem-coupons.js';
import type { PlanItemRow, PlanRow } from '../db/catalogue.row.js';
import { SubscriptionItemRow } from '../db/subscription-item.row.js';
import { shareDiscounts, unusedRedemptions } from '../domain/discounts/add-discount.js';
import {
  type ChangeDirection,
  type ChangeTiming,
  planDirection,
  refuseDirectionOf,
} from '../domain/subscriptions/change-direction.js';
import { isUntouched, revokeChange } from '../domain/subscriptions/change-item.js';
import {
  broughtLines,
  changePlan,
  pairItems,
  planChangeDay,
  type PlanLine,
  planTargets,
  revokePlanChange,
} from '../domain/subscriptions/change-plan.js';
import { type Known, MeasuredPreview, type PreviewAttempt } from '../preview/measured-preview.js';
import { type LoadedAgreement, lockAgreement, type StoredAgreement } from './agreement.js';
import { itemsOn, mustTakeItems } from './new-items.js';
import { PreviewAgreement } from './preview-agreement.js';
import { lockPricePlans, planOn } from './references.js';
import { SaveAgreement } from './save-agreement.js';
import { ReadSubscriptions } from './subscription.read.js';
import { startAdded } from './start-added.js';
import type { PlanChangePreviewJson, SubscriptionJson } from './subscription.schema.js';
import { planOf, termsOfTiming, type WantedTiming } from './wanted-change.js';

export interface WantedPlan extends WantedTiming {
  readonly plan: string;
}

interface Decided {
  readonly loaded: LoadedAgreement;
  readonly after: StoredAgreement;
  readonly from: Day;
  readonly timing: ChangeTiming;
  readonly direction: ChangeDirection;
  /** What is billed at once; none: nothing has been billed yet, or the change waits. */
  readonly billedItemIds: readonly string[];
}

/** Changes of the whole plan of a subscription. The rules are in `domain/subscriptions/change-plan.ts`. */
@Injectable()
export class ChangePlan {
  constructor(
    private readonly replicas: Replicas,
    private readonly save: SaveAgreement,
    private readonly read: ReadSubscriptions,
    private readonly billImmediately: BillImmediately,
    private readonly coupons: RedeemCoupons,
    private readonly previews: PreviewAgreement,
    private readonly measured: MeasuredPreview,
  ) {}

  /**
   * Immediately: credits and the rest of the period are billed at once, as a separate invoice. A change that waits takes
   * the place of another one that does.
   * @throws DomainError `not_found`, `unknown_reference`, `validation_failed`, `change_not_allowed`,
   * `invalid_status_transition`, `too_many_items`
   */
  async execute(tx: TenantTx, id: string, wanted: WantedPlan): Promise<SubscriptionJson> {
    const { loaded, after, from, timing, billedItemIds } = await this.decide(tx, id, wanted);
    const metadata = { plan: wanted.plan, from, timing };
    await this.removeItems(tx, loaded.agreement, after);
    const json = await this.save.execute(tx, loaded, after, [{ type: 'subscription.updated', metadata }]);
    if (billedItemIds.length === 0) return json;
    const billing = { subscriptionId: id, itemIds: billedItemIds, operationId: newUuid() };
    const billedInvoice = await this.billImmediately.execute(tx, billing);
    return { ...(await this.read.get(tx, id)), billedInvoice };
  }

  preview(tenantId: string, id: string, wanted: WantedPlan): Promise<PlanChangePreviewJson> {
    return this.measured.execute(tenantId, (tx, known) => this.attempt(tx, id, wanted, known));
  }

  /** A waiting change of the plan, of an item, or a phase. @throws DomainError `not_found` */
  async revoke(tx: TenantTx, id: string, changeId: string): Promise<void> {
    const loaded = await lockAgreement(tx, this.replicas, id);
    const { agreement, prices, zones } = loaded;
    const zone = zones.customer;
    const isPlan = agreement.subscription.planChange?.id === changeId;
    const after = isPlan
      ? revokePlanChange(agreement, prices.priceOf, tx.now, zone)
      : revokeItemChange(agreement, changeId, dayOf(tx.now, zone));
    if (!after) throw notFound('A pending change');
    await this.removeItems(tx, agreement, after);
    await this.save.execute(tx, loaded, after, [
      { type: 'subscription.updated', metadata: { pendingChangeRevoked: true, change: changeId } },
    ]);
  }

  private async attempt(
    tx: TenantTx,
    id: string,
    wanted: WantedPlan,
    known: Known,
  ): Promise<PreviewAttempt<PlanChangePreviewJson>> {
    const { loaded, after, from, timing, direction, billedItemIds } = await this.decide(tx, id, wanted);
    const zone = loaded.zones.customer;
    const waits = from > dayOf(tx.now, zone);
    const { invoice, requests } = await this.previews.execute(tx, {
      after,
      itemIds: billedItemIds.length > 0 ? billedItemIds : null,
      from: waits ? from : null,
      zone,
      known,
    });
    return { shown: { timing, effectiveOn: from, direction, invoice }, requests };
  }

  private async decide(tx: TenantTx, id: string, wanted: WantedPlan): Promise<Decided> {
    const target = await newPlan(tx, wanted.plan);
    const targetItems = await tables.planItems.find(tx, { planId: target.id }, { orderBy: { ranking: 'asc' } });
    const locked = await lockPricePlans(
      tx,
      targetItems.map(({ pricePlanId }) => pricePlanId),
    );
    const found = await lockAgreement(
      tx,
      this.replicas,
      id,
      targetItems.map(({ pricePlanId }) => pricePlanId),
    );
    const { prices, zones } = found;
    const zone = zones.customer;
    const today = dayOf(tx.now, zone);
    const loaded = {
      ...found,
      agreement: revokePlanChange(found.agreement, prices.priceOf, tx.now, zone) ?? found.agreement,
    };
    const { agreement } = loaded;
    const plan = await planOf(tx, loaded);
    if (plan?.id === target.id) throw validationFailed('plan', 'The subscription has this plan already.', 'no_change');
    const lines = linesOf(targetItems, prices);
    const old = agreement.items.filter(
      ({ type, status, endsOn }) => type === 'plan' && status !== 'terminated' && endsOn === null,
    );
    refuseCurrency(old, lines, prices);
    const quantities = plan ? await quantitiesOf(tx, plan) : new Map<string, string>();
    const pairs = pairItems(
      old,
      lines,
      (item) => prices.productOf(item.pricePlanId).id,
      (item) => quantities.get(item.pricePlanId),
    );
    for (const { pricePlanId } of broughtLines(pairs))
      planOn(locked, agreement.subscription.customerId, pricePlanId, 'plan');
    const { before, after: targets } = planTargets(pairs, prices.priceOf);
    const direction = planDirection({ rank: plan?.rank ?? null, lines: before }, { rank: target.rank, lines: targets });
    if (plan) refuseDirectionOf(plan.changeBehaviour, direction);
    const terms = termsOfTiming(wanted, plan);
    const command = { id: newUuid(), planId: target.id, ...terms, now: tx.now, zone, group: found.group };
    if (terms.timing === 'custom' && (!terms.changeDate || terms.changeDate < startOfDay(today, zone)))
      throw validationFailed(
        'changeDate',
        'changeDate is today or later.',
        terms.changeDate ? 'in_the_past' : 'required',
      );
    const from = planChangeDay(old, prices.priceOf, command);
    mustTakeItems(agreement.items, pairs.added.length);
    const added = this.added(tx, loaded, locked, pairs.added, from);
    const changed = changePlan(agreement, pairs, prices.priceOf, {
      ...command,
      from,
      addedItemIds: added.map((item) => item.id),
    });
    const pairedIds = new Set(pairs.paired.map(({ item }) => item.id));
    const touched = agreement.items.filter((item, n) => pairedIds.has(item.id) || item !== changed.items[n]);
    const isBilled = touched.some((item) => !isUntouched(item, today));
    return {
      loaded: found,
      after: { ...changed, items: [...changed.items, ...added] },
      from,
      timing: terms.timing,
      direction,
      billedItemIds:
        from <= today && isBilled ? [...touched.map((item) => item.id), ...added.map((item) => item.id)] : [],
    };
  }

  /** Items for what no item of the present plan becomes; they begin on the day of the change. */
  private added(
    tx: TenantTx,
    loaded: LoadedAgreement,
    locked: Awaited<ReturnType<typeof lockPricePlans>>,
    lines: readonly PlanLine[],
    from: Day,
  ): SubscriptionItemRow[] {
    const { subscription, items } = loaded.agreement;
    const { zones, prices } = loaded;
    const rows = itemsOn(
      tx,
      locked,
      subscription,
      lines.map(({ pricePlanId, quantity }) => ({ pricePlan: pricePlanId, quantity })),
      { type: 'plan', firstRanking: (items.at(-1)?.ranking ?? -1) + 1 },
    );
    const startDate = from > dayOf(tx.now, zones.customer) ? startOfDay(from, zones.customer) : null;
    const dated = rows.map((row) =>
      shareDiscounts({ ...row, startDate }, items, prices.priceOf(row.pricePlanId), newUuid),
    );
    return subscription.status === 'draft' ? dated : dated.map((row) => startAdded(row, loaded, tx.now));
  }

  /** Items that never began; coupons that they alone had are free again, and nothing belongs to them any more. */
  private async removeItems(tx: TenantTx, before: StoredAgreement, after: StoredAgreement): Promise<void> {
    const left = new Set(after.items.map(({ id }) => id));
    const gone = before.items.filter(({ id }) => !left.has(id));
    if (gone.length === 0) return;
    const redemptions = gone.flatMap(({ discounts }) =>
      (discounts ?? []).flatMap(({ redemptionId }) => redemptionId ?? []),
    );
    await this.coupons.release(tx, unusedRedemptions(after.items, redemptions));
    const ids = gone.map(({ id }) => id);
    const orphans = before.items.filter(
      ({ id, parentId }) => left.has(id) && parentId !== null && ids.includes(parentId),
    );
    await tables.subscriptionItems.update(
      tx,
      orphans.map((item) => Object.assign(new SubscriptionItemRow(), item, { parentId: null })),
      ['parentId'],
    );
    await tables.subscriptionItems.delete(tx, { id: ids });
  }
}

const linesOf = (items: readonly PlanItemRow[], prices: Prices): PlanLine[] =>
  items.map(({ pricePlanId, quantity }) => ({ pricePlanId, quantity, productId: prices.productOf(pricePlanId).id }));

/** The quantities that a plan sells, by price plan. */
async function quantitiesOf(tx: TenantTx, plan: PlanRow): Promise<Map<string, string>> {
  const items = await tables.planItems.find(tx, { planId: plan.id });
  return new Map(items.map(({ pricePlanId, quantity }) => [pricePlanId, quantity]));
}

/** @throws DomainError `validation_failed` */
function refuseCurrency(items: readonly SubscriptionItemRow[], lines: readonly PlanLine[], prices: Prices): void {
  const currencies = new Set(items.map(({ pricePlanId }) => prices.priceOf(pricePlanId).currencyCode));
  if (items.length > 0 && lines.some((line) => !currencies.has(prices.priceOf(line.pricePlanId).currencyCode)))
    throw validationFailed('plan', 'plan must have the currency of the present one.', 'currency_mismatch');
  if (lines.length === 0) throw validationFailed('plan', 'plan has no prices.', 'required');
}

/** Null: no item has such a change waiting. */
function revokeItemChange({ subscription, items }: StoredAgreement, id: string, today: Day): StoredAgreement | null {
  const after = items.map((item) => revokeChange(item, today, id) ?? item);
  return after.some((item, n) => item !== items[n]) ? { subscription, items: after } : null;
}

/** @throws DomainError `unknown_reference`, `validation_failed` unless it is sold */
async function newPlan(tx: TenantTx, id: string): Promise<PlanRow> {
  const plan = await tables.plans.get(tx, id);
  if (!plan) throw unknownReference('plan');
  if (plan.status !== 'active')
    throw validationFailed('plan', `plan must be active; its status is ${plan.status}.`, 'not_active');
  return plan;
}
