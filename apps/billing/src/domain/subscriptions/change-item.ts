import {
  anchoredBoundary,
  anchoredIndex,
  type Day,
  dayOf,
  DomainError,
  invalidTransition,
  parseInterval,
  startOfDay,
  validationFailed,
} from '@kontor/kernel';
import { alignToGroup, type BillingGroupDate } from '../periods/billing-group.js';
import type { ChangeTiming } from './change-direction.js';
import { type ChangeCredit, type ChangeKind, plannedOf, withChange, withoutQuantities } from './planned-change.js';
import type { ItemPrice, ItemTerms, PriceOf, SubscriptionTerms } from './subscription.js';

/** The end of what an item has paid, or of the interval that it is in: where a change or an end costs no proration. */
export function periodEndOf(item: ItemTerms, price: ItemPrice, today: Day): Day {
  if (item.billedTo !== null && item.billedTo > today) return item.billedTo;
  const anchorOn = item.anchorOn ?? today;
  const from = item.startOn !== null && item.startOn > today ? item.startOn : today;
  const interval = parseInterval(price.billingInterval);
  return anchoredBoundary(anchorOn, interval, anchoredIndex(anchorOn, interval, from) + 1);
}

export interface ItemChange {
  readonly id: string;
  readonly kind: ChangeKind;
  /** Null: the present one. */
  readonly pricePlanId: string | null;
  readonly quantity: string | null;
  readonly timing: ChangeTiming;
  /** For `custom`. */
  readonly changeDate: Date | null;
  readonly credit: ChangeCredit;
  readonly now: Date;
  readonly zone: string;
  readonly group: BillingGroupDate | null;
}

/**
 * Another price or quantity. Immediately or on a day: that day belongs to the new price, what is paid beyond it is
 * credited as the change says. At the end of the period: from the end of what is paid. Before anything is billed the
 * item simply becomes the new one.
 * @throws DomainError `invalid_status_transition`; `change_not_allowed` for one-time items and ended ones;
 * `validation_failed` for a date that is missing or past.
 */
export function changeItem<I extends ItemTerms>(
  item: I,
  subscription: SubscriptionTerms,
  priceOf: PriceOf,
  change: ItemChange,
): I {
  if (subscription.status !== 'draft' && subscription.status !== 'active')
    throw invalidTransition('subscription', subscription.status, 'change');
  if (item.status === 'terminated') throw invalidTransition('subscription item', item.status, 'change');
  const price = priceOf(item.pricePlanId);
  if (price.oneTime) throw new DomainError('change_not_allowed', { detail: 'A one-time item cannot be changed.' });
  const today = dayOf(change.now, change.zone);
  const { id, kind, pricePlanId, quantity, credit } = change;
  const from = effectiveDay(item, price, change);
  if (from === null) {
    return {
      ...item,
      pricePlanId: pricePlanId ?? item.pricePlanId,
      quantity: quantity ?? item.quantity,
      ...(pricePlanId === null ? {} : { anchorOn: anchorAt(priceOf(pricePlanId), item, price, change) }),
      ...(pricePlanId === null
        ? { plannedChanges: plannedOf(withoutQuantities(item.plannedChanges ?? [])) }
        : { plannedChanges: null, phases: null }),
      quantitySteps: null,
    };
  }
  // A quantity that has come today stays with another price, whether a run has seen it yet or not.
  const come = from === today ? item.plannedChanges?.find((planned) => planned.from === today) : undefined;
  const wanted = { id, kind, from, pricePlanId, quantity: quantity ?? come?.quantity ?? null, credit };
  const plannedChanges = withChange(item.plannedChanges, wanted);
  if (from > today) return { ...item, plannedChanges };
  // What was measured from today on is not what is agreed from today on; days before are credited and charged all the same.
  const steps = item.quantitySteps?.filter((step) => step.from < today) ?? [];
  return { ...item, plannedChanges, quantitySteps: steps.length > 0 ? steps : null };
}

/** Intervals of another length begin on the billing group's date as well. */
function anchorAt(
  next: ItemPrice,
  { startOn, anchorOn }: ItemTerms,
  price: ItemPrice,
  { group }: ItemChange,
): Day | null {
  const isSame = next.billingInterval === price.billingInterval;
  return group === null || startOn === null || isSame
    ? anchorOn
    : alignToGroup(group, startOn, parseInterval(next.billingInterval));
}

/** Nothing of the item is billed or used yet. */
export const isUntouched = (item: ItemTerms, today: Day): boolean =>
  item.startOn === null || (item.billedTo === null && item.startOn >= today);

/**
 * The first day of what an item becomes; null: nothing is billed yet, it simply becomes that. A later date is waited for all the same:
 * billing may begin before it, when a trial is revoked.
 * @throws DomainError `validation_failed` for a date that is missing or past
 */
export function effectiveDay(
  item: ItemTerms,
  price: ItemPrice,
  change: Pick<ItemChange, 'timing' | 'changeDate' | 'now' | 'zone'>,
): Day | null {
  const today = dayOf(change.now, change.zone);
  const from = changeDay(item, price, change);
  if (!isUntouched(item, today)) return from;
  return change.timing === 'custom' && from > today ? from : null;
}

/** @throws DomainError `validation_failed` for a date that is missing or past */
function changeDay(
  item: ItemTerms,
  price: ItemPrice,
  { timing, changeDate, now, zone }: Pick<ItemChange, 'timing' | 'changeDate' | 'now' | 'zone'>,
): Day {
  const today = dayOf(now, zone);
  if (timing === 'immediately') return today;
  if (timing === 'end_of_period') return periodEndOf(item, price, today);
  if (changeDate === null)
    throw validationFailed('changeDate', 'changeDate is required for the timing custom.', 'required');
  if (changeDate < startOfDay(today, zone))
    throw validationFailed('changeDate', 'changeDate must not be in the past.', 'in_the_past');
  return dayOf(changeDate, zone);
}

/** Orders a credit from a day on, together with a credit that is waiting. */
export function creditFrom(item: ItemTerms, from: Day, dueOn: Day): Pick<ItemTerms, 'creditFrom' | 'creditDueOn'> {
  const { creditFrom, creditDueOn } = item;
  return {
    creditFrom: creditFrom !== null && creditFrom < from ? creditFrom : from,
    creditDueOn: creditDueOn !== null && creditDueOn < dueOn ? creditDueOn : dueOn,
  };
}

/**
 * A change that waits for its day is not made: the named one, else the next that was asked for this item. Null: there
 * is none.
 */
export function revokeChange<I extends ItemTerms>(item: I, today: Day, id?: string): I | null {
  const waiting = (item.plannedChanges ?? []).filter(({ from }) => from > today);
  const revoked = waiting.find((change) => (id === undefined ? change.kind !== 'plan' : change.id === id));
  if (!revoked) return null;
  return { ...item, plannedChanges: plannedOf((item.plannedChanges ?? []).filter((change) => change !== revoked)) };
}
