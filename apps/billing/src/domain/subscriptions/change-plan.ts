import { type Day, dayOf, invalidTransition, startOfDay } from '@kontor/kernel';
import type { BillingGroupDate } from '../periods/billing-group.js';
import type { ChangeCredit } from './planned-change.js';
import { changeItem, isUntouched, periodEndOf } from './change-item.js';
import type { ChangeTiming, ItemTarget } from './change-direction.js';
import { endFamilies, type FamilyItem } from './end-item.js';
import { withStatus } from './start-item.js';
import {
  type Agreement,
  itemEnd,
  type ItemTerms,
  type PlanChange,
  type PriceOf,
  type SubscriptionTerms,
} from './subscription.js';

/** One line of the new plan. */
export interface PlanLine {
  readonly pricePlanId: string;
  readonly productId: string;
  readonly quantity: string;
}

export interface PlanPair<I> {
  readonly item: I;
  readonly line: PlanLine;
  /** The item keeps its quantity where it is not what its plan says. */
  readonly quantity: string;
}

export interface PlanPairs<I> {
  readonly paired: readonly PlanPair<I>[];
  readonly ended: readonly I[];
  readonly added: readonly PlanLine[];
}

/**
 * What becomes of the items of a plan: an item goes on as the new plan's line of its product, else as the next one
 * that no product has; items that are left end, lines that are left begin.
 */
export function pairItems<I extends ItemTerms>(
  items: readonly I[],
  lines: readonly PlanLine[],
  productOf: (item: I) => string,
  quantityInPlan: (item: I) => string | undefined,
): PlanPairs<I> {
  const partner = new Map<PlanLine, I>();
  const taken = new Set<I>();
  const pair = (line: PlanLine, item: I | undefined): void => {
    if (!item) return;
    partner.set(line, item);
    taken.add(item);
  };
  for (const line of lines)
    pair(
      line,
      items.find((item) => !taken.has(item) && productOf(item) === line.productId),
    );
  for (const line of lines)
    if (!partner.has(line))
      pair(
        line,
        items.find((item) => !taken.has(item)),
      );
  return {
    paired: lines.flatMap((line) => {
      const item = partner.get(line);
      if (!item) return [];
      return [{ item, line, quantity: item.quantity === quantityInPlan(item) ? line.quantity : item.quantity }];
    }),
    ended: items.filter((item) => !taken.has(item)),
    added: lines.filter((line) => !partner.has(line)),
  };
}

/** The lines with a price that their item does not have yet. */
export const broughtLines = <I extends ItemTerms>({ paired, added }: PlanPairs<I>): PlanLine[] => [
  ...paired.filter(({ item, line }) => item.pricePlanId !== line.pricePlanId).map(({ line }) => line),
  ...added,
];

/** Items and lines of a change, as they are compared: all of them at the quantities that there are. */
export const planTargets = <I extends ItemTerms>(
  { paired, ended, added }: PlanPairs<I>,
  priceOf: PriceOf,
): { before: ItemTarget[]; after: ItemTarget[] } => ({
  before: [...paired.map(({ item }) => item), ...ended].map((item) => ({
    price: priceOf(item.pricePlanId),
    quantity: item.quantity,
  })),
  after: [
    ...paired.map(({ line, quantity }) => ({ price: priceOf(line.pricePlanId), quantity })),
    ...added.map((line) => ({ price: priceOf(line.pricePlanId), quantity: line.quantity })),
  ],
});

export interface PlanChangeCommand {
  readonly id: string;
  readonly planId: string;
  readonly timing: ChangeTiming;
  readonly changeDate: Date | null;
  readonly credit: ChangeCredit;
  readonly now: Date;
  readonly zone: string;
  readonly group: BillingGroupDate | null;
}

/**
 * The day of a change of the whole plan: all items change on one. At the end of the period that is when everything that
 * the plan's items have paid is used.
 */
export function planChangeDay(
  items: readonly ItemTerms[],
  priceOf: PriceOf,
  { timing, changeDate, now, zone }: PlanChangeCommand,
): Day {
  const today = dayOf(now, zone);
  if (timing === 'custom' && changeDate !== null) return dayOf(changeDate, zone);
  if (timing !== 'end_of_period' || items.every((item) => isUntouched(item, today))) return today;
  return items.map((item) => periodEndOf(item, priceOf(item.pricePlanId), today)).reduce((a, b) => (a > b ? a : b));
}

/**
 * Makes the items of an agreement those of another plan from a day on; what belongs to an item that is left ends with it. What
 * `added` lines begin with is the caller's: rows that have started.
 * @throws what changing an item refuses
 */
export function changePlan<S extends SubscriptionTerms, I extends FamilyItem>(
  agreement: Agreement<S, I>,
  { paired, ended }: PlanPairs<I>,
  priceOf: PriceOf,
  command: PlanChangeCommand & { readonly from: Day; readonly addedItemIds: readonly string[] },
): Agreement<S, I> {
  const { subscription } = agreement;
  if (subscription.status !== 'draft' && subscription.status !== 'active')
    throw invalidTransition('subscription', subscription.status, 'change');
  const { from, now, zone, id, credit } = command;
  const today = dayOf(now, zone);
  const pairOf = new Map(paired.map((pair) => [pair.item.id, pair]));
  const endedIds = new Set(ended.map((item) => item.id));
  const changed = agreement.items.map((item) => {
    if (endedIds.has(item.id)) {
      const leaving = { ...item, endsOn: from, endCredit: credit };
      return withStatus(leaving, priceOf(item.pricePlanId), now, zone, itemEnd(subscription, leaving));
    }
    const pair = pairOf.get(item.id);
    if (!pair) return item;
    const pricePlanId = pair.line.pricePlanId === item.pricePlanId ? null : pair.line.pricePlanId;
    const quantity = pair.quantity === item.quantity ? null : pair.quantity;
    if (pricePlanId === null && quantity === null) return item;
    return changeItem(item, subscription, priceOf, {
      id,
      kind: 'plan',
      pricePlanId,
      quantity,
      timing: from <= today ? 'immediately' : 'custom',
      changeDate: startOfDay(from, zone),
      credit,
      now,
      zone,
      group: command.group,
    });
  });
  const waits = from > today;
  const items = endFamilies(changed, endedIds, { subscription, priceOf, now, zone });
  const planChange = { id, from, credit, addedItemIds: command.addedItemIds, ...endsMoved(agreement.items, items) };
  return {
    items,
    subscription: waits
      ? { ...subscription, nextPlanId: command.planId, planChange }
      : { ...subscription, planId: command.planId, nextPlanId: null, planChange: null },
  };
}

/** Items that end with a change of the plan, and when they would have ended without it. */
function endsMoved<I extends FamilyItem>(
  before: readonly I[],
  after: readonly I[],
): Pick<PlanChange, 'endedItemIds' | 'formerEnds'> {
  const moved = before.filter(({ endsOn }, n) => endsOn !== after[n]?.endsOn);
  const formerEnds = moved.flatMap(({ id, endsOn }) => (endsOn === null ? [] : [[id, endsOn] as const]));
  return {
    endedItemIds: moved.map(({ id }) => id),
    ...(formerEnds.length > 0 ? { formerEnds: Object.fromEntries(formerEnds) } : {}),
  };
}

/**
 * The plan stays; items that would have begun with the change are the caller's to delete, and what was to belong to them stands
 * by itself. Null: no change waits.
 */
export function revokePlanChange<S extends SubscriptionTerms, I extends FamilyItem>(
  { subscription, items }: Agreement<S, I>,
  priceOf: PriceOf,
  now: Date,
  zone: string,
): Agreement<S, I> | null {
  const { planChange } = subscription;
  if (!planChange || planChange.from <= dayOf(now, zone)) return null;
  const { id, addedItemIds, endedItemIds, formerEnds } = planChange;
  const kept = { ...subscription, nextPlanId: null, planChange: null };
  return {
    subscription: kept,
    items: items
      .filter((item) => !addedItemIds.includes(item.id))
      .map((item) => {
        const plannedChanges = item.plannedChanges?.filter((change) => change.id !== id) ?? [];
        const parentId = item.parentId !== null && addedItemIds.includes(item.parentId) ? null : item.parentId;
        const staying = { ...item, parentId, plannedChanges: plannedChanges.length > 0 ? plannedChanges : null };
        if (!endedItemIds.includes(item.id)) return staying;
        const open = { ...staying, endsOn: formerEnds?.[item.id] ?? null, endCredit: null };
        return withStatus(open, priceOf(item.pricePlanId), now, zone, itemEnd(kept, open));
      }),
  };
}
