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
import type { CancellationDateType } from './cancel.js';
import type { ChangeTiming } from './change-direction.js';
import { withStatus } from './start-item.js';
import { itemEnd, type ItemPrice, type ItemTerms, type SubscriptionTerms } from './subscription.js';

/** The end of what an item has paid, or of the interval that it is in: where a change or an end costs no proration. */
export function periodEndOf(item: ItemTerms, price: ItemPrice, today: Day): Day {
  if (item.billedTo !== null && item.billedTo > today) return item.billedTo;
  const anchorOn = item.anchorOn ?? today;
  const from = item.startOn !== null && item.startOn > today ? item.startOn : today;
  const interval = parseInterval(price.billingInterval);
  return anchoredBoundary(anchorOn, interval, anchoredIndex(anchorOn, interval, from) + 1);
}

export interface ItemChange {
  readonly pricePlanId: string;
  readonly quantity: string;
  readonly timing: ChangeTiming;
  readonly now: Date;
  readonly zone: string;
}

/**
 * Another price or quantity. Immediately: the change day belongs to the new price, what is paid beyond it is credited.
 * At the end of the period: from the end of what is paid. Before anything is billed the item simply becomes the new
 * one.
 * @throws DomainError `invalid_status_transition`; `change_not_allowed` for one-time items and ended ones.
 */
export function changeItem<I extends ItemTerms>(
  item: I,
  subscription: SubscriptionTerms,
  price: ItemPrice,
  change: ItemChange,
): I {
  if (subscription.status !== 'draft' && subscription.status !== 'active')
    throw invalidTransition('subscription', subscription.status, 'change');
  if (item.status === 'terminated') throw invalidTransition('subscription item', item.status, 'change');
  if (price.oneTime) throw new DomainError('change_not_allowed', { detail: 'A one-time item cannot be changed.' });
  const next = { nextPricePlanId: change.pricePlanId, nextQuantity: change.quantity };
  const today = dayOf(change.now, change.zone);
  if (item.startOn === null || (item.billedTo === null && item.startOn >= today)) {
    return {
      ...item,
      pricePlanId: change.pricePlanId,
      quantity: change.quantity,
      nextPricePlanId: null,
      nextQuantity: null,
      nextFrom: null,
      quantitySteps: null,
    };
  }
  if (change.timing === 'end_of_period') return { ...item, ...next, nextFrom: periodEndOf(item, price, today) };
  const paid = item.billedTo !== null && item.billedTo > today;
  // What was measured from today on is not what is agreed from today on; days before are credited and charged all the same.
  const steps = item.quantitySteps?.filter(({ from }) => from < today) ?? [];
  const quantitySteps = steps.length > 0 ? steps : null;
  return { ...item, ...next, nextFrom: today, quantitySteps, ...(paid ? creditFrom(item, today, today) : {}) };
}

/** Orders a credit from a day on, together with a credit that is waiting. */
export function creditFrom(item: ItemTerms, from: Day, dueOn: Day): Pick<ItemTerms, 'creditFrom' | 'creditDueOn'> {
  const { creditFrom, creditDueOn } = item;
  return {
    creditFrom: creditFrom !== null && creditFrom < from ? creditFrom : from,
    creditDueOn: creditDueOn !== null && creditDueOn < dueOn ? creditDueOn : dueOn,
  };
}

export interface ItemCancellation {
  readonly now: Date;
  readonly zone: string;
  readonly cancellationDateType: CancellationDateType;
  readonly cancellationDate: Date | null;
}

/**
 * Ends one item.
 * @throws DomainError `invalid_status_transition`; `validation_failed` for a date that is missing or past.
 */
export function cancelItem<I extends ItemTerms>(
  item: I,
  subscription: SubscriptionTerms,
  price: ItemPrice,
  command: ItemCancellation,
): I {
  if (subscription.status !== 'active' && subscription.status !== 'paused')
    throw invalidTransition('subscription', subscription.status, 'cancel item');
  if (item.status === 'terminated') throw invalidTransition('subscription item', item.status, 'cancel');
  const { now, zone } = command;
  const ended = { ...item, endsOn: endOf(item, price, command) };
  return withStatus(ended, price, now, zone, itemEnd(subscription, ended));
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

/** The change that waits for its day is not made. Null: there is none. */
export function revokeChange<I extends ItemTerms>(item: I, today: Day): I | null {
  if (item.nextFrom === null || item.nextFrom <= today) return null;
  return { ...item, nextPricePlanId: null, nextQuantity: null, nextFrom: null };
}
