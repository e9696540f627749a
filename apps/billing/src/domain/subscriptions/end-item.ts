import { type Day, dayOf, DomainError, invalidTransition, startOfDay, validationFailed } from '@kontor/kernel';
import type { CancellationDateType } from './cancel.js';
import { periodEndOf } from './change-item.js';
import { withStatus } from './start-item.js';
import {
  type Agreement,
  itemEnd,
  type ItemPrice,
  type ItemTerms,
  type PriceOf,
  type SubscriptionTerms,
} from './subscription.js';

/** An item that may belong to another one of its subscription. */
export interface FamilyItem extends ItemTerms {
  readonly id: string;
  readonly parentId: string | null;
}

interface When {
  readonly now: Date;
  readonly zone: string;
}

export interface ItemCancellation extends When {
  readonly cancellationDateType: CancellationDateType;
  readonly cancellationDate: Date | null;
}

/**
 * Ends one item, and with it what belongs to it. What a change of the plan that waits was to end, and ends earlier by this, ends so
 * whatever becomes of that change.
 * @throws DomainError `invalid_status_transition`; `validation_failed` for a date that is missing or past;
 * `plan_change_pending` for a day after that on which a change of the plan ends the item.
 */
export function cancelItem<S extends SubscriptionTerms, I extends FamilyItem>(
  { subscription, items }: Agreement<S, I>,
  item: I,
  priceOf: PriceOf,
  command: ItemCancellation,
): Agreement<S, I> {
  if (subscription.status !== 'active' && subscription.status !== 'paused')
    throw invalidTransition('subscription', subscription.status, 'cancel item');
  if (item.status === 'terminated') throw invalidTransition('subscription item', item.status, 'cancel');
  const { now, zone } = command;
  const price = priceOf(item.pricePlanId);
  const endsOn = endOf(item, price, command);
  refuseAfterPlanChange(subscription, item, endsOn);
  const ended = { ...item, endsOn, endCredit: null };
  const changed = items.map((other) =>
    other === item ? withStatus(ended, price, now, zone, itemEnd(subscription, ended)) : other,
  );
  const after = endFamilies(changed, [item.id], { subscription, priceOf, now, zone });
  const moved = after.filter(({ id }, n) => id === item.id || after[n]?.endsOn !== items[n]?.endsOn);
  return { items: after, subscription: withOwnEnds(subscription, new Set(moved.map(({ id }) => id))) };
}

function refuseAfterPlanChange({ planChange }: SubscriptionTerms, { id }: FamilyItem, endsOn: Day): void {
  if (!planChange?.endedItemIds.includes(id) || endsOn <= planChange.from) return;
  throw new DomainError('plan_change_pending', {
    detail: `A change of the whole plan ends the item on ${planChange.from}; revoke it before the item ends later.`,
  });
}

/** The ends of some items are their own: they stay where the change of the plan is revoked. */
function withOwnEnds<S extends SubscriptionTerms>(subscription: S, ids: ReadonlySet<string>): S {
  const { planChange } = subscription;
  if (!planChange?.endedItemIds.some((id) => ids.has(id))) return subscription;
  const endedItemIds = planChange.endedItemIds.filter((id) => !ids.has(id));
  return { ...subscription, planChange: { ...planChange, endedItemIds } };
}

interface Ending extends When {
  readonly subscription: SubscriptionTerms;
  readonly priceOf: PriceOf;
}

/**
 * What belongs to items that end (`endingIds`) ends with them, at the latest, and as they do. Parents come before what belongs to
 * them.
 */
export function endFamilies<I extends FamilyItem>(
  items: readonly I[],
  endingIds: Iterable<string>,
  { subscription, priceOf, now, zone }: Ending,
): I[] {
  const ending = new Map<string, I | null>([...endingIds].map((id) => [id, null]));
  return items.map((item) => {
    const parent = item.parentId === null ? null : (ending.get(item.parentId) ?? null);
    let after = item;
    if (parent && endsWith(item, parent)) {
      const ended = { ...item, endsOn: parent.endsOn, endCredit: parent.endCredit ?? null };
      after = withStatus(ended, priceOf(item.pricePlanId), now, zone, itemEnd(subscription, ended));
    }
    if (after !== item || ending.has(item.id)) ending.set(item.id, after);
    return after;
  });
}

const endsWith = (item: FamilyItem, { endsOn }: FamilyItem): boolean =>
  item.status !== 'terminated' && endsOn !== null && (item.endsOn === null || item.endsOn > endsOn);

/** Items that join an agreement, some as parts of others that have an end already: of their own, or by a change of the plan. */
export function joinFamilies<S extends SubscriptionTerms, I extends FamilyItem>(
  { subscription, items }: Agreement<S, I>,
  joining: readonly I[],
  terms: Omit<Ending, 'subscription'>,
): Agreement<S, I> {
  const parentIds = joining.flatMap(({ parentId }) => parentId ?? []);
  const after = endFamilies([...items, ...joining], parentIds, { subscription, ...terms });
  const { planChange } = subscription;
  const endWithPlan = after.filter(
    ({ id, parentId }) =>
      joining.some((item) => item.id === id) && parentId !== null && planChange?.endedItemIds.includes(parentId),
  );
  if (!planChange || endWithPlan.length === 0) return { subscription, items: after };
  const endedItemIds = [...planChange.endedItemIds, ...endWithPlan.map(({ id }) => id)];
  return { subscription: { ...subscription, planChange: { ...planChange, endedItemIds } }, items: after };
}

function endOf(
  item: ItemTerms,
  price: ItemPrice,
  { now, zone, cancellationDateType, cancellationDate }: ItemCancellation,
): Day {
  const today = dayOf(now, zone);
  if (cancellationDateType === 'immediate') return today;
  if (cancellationDateType === 'next_possible') return periodEndOf(item, price, today);
  if (cancellationDate === null)
    throw validationFailed('cancellationDate', 'cancellationDate is required for the type custom.', 'required');
  if (cancellationDate < startOfDay(today, zone))
    throw validationFailed('cancellationDate', 'cancellationDate must not be in the past.', 'in_the_past');
  return dayOf(cancellationDate, zone);
}
