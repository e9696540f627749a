import { type Day, dayOf, DomainError, invalidTransition, startOfDay, validationFailed } from '@kontor/kernel';
import type { Gap } from '../periods/service-periods.js';
import { possibleCancellationDays } from './contract-terms.js';
import { withStatus } from './start-item.js';
import {
  type Agreement,
  isCancellationPending,
  itemEnd,
  type ItemTerms,
  type PriceOf,
  type SubscriptionTerms,
} from './subscription.js';

export type CancellationDateType = 'immediate' | 'next_possible' | 'custom';

export interface CancelCommand {
  readonly now: Date;
  readonly zone: string;
  readonly cancellationDateType: CancellationDateType;
  /** For `custom`. */
  readonly cancellationDate: Date | null;
}

/**
 * Declares the end of an active or paused subscription; at once when it is immediate, else revocable until its date.
 * @throws DomainError `invalid_status_transition`; `validation_failed` for a date that is missing or past.
 */
export function cancel<S extends SubscriptionTerms, I extends ItemTerms>(
  agreement: Agreement<S, I>,
  priceOf: PriceOf,
  command: CancelCommand,
): Agreement<S, I> {
  const { subscription, items } = agreement;
  if (subscription.status !== 'active' && subscription.status !== 'paused')
    throw invalidTransition('subscription', subscription.status, 'cancel');
  const { now, zone } = command;
  const cancellationDate = dateOf(agreement, priceOf, command);
  const endsOn = dayOf(cancellationDate, zone);
  const declared = { ...subscription, cancellationDate, cancelledAt: now, endsOn };
  if (cancellationDate <= now) return takeEffect({ subscription: declared, items });
  return { subscription: declared, items: items.map((item) => refreshed(item, declared, priceOf, now, zone)) };
}

function dateOf({ subscription, items }: Agreement, priceOf: PriceOf, command: CancelCommand): Date {
  const { now, zone } = command;
  if (command.cancellationDateType === 'immediate') return now;
  if (command.cancellationDateType === 'next_possible') {
    const [end] = possibleCancellationDays(subscription, items, priceOf, now, zone);
    if (end === undefined)
      throw new DomainError('no_possible_cancellation_date', {
        detail: 'The contract has no further end to cancel to.',
      });
    return startOfDay(end, zone);
  }
  if (command.cancellationDate === null)
    throw validationFailed('cancellationDate', 'cancellationDate is required for the type custom.', 'required');
  if (command.cancellationDate < startOfDay(dayOf(now, zone), zone))
    throw validationFailed('cancellationDate', 'cancellationDate must not be in the past.', 'in_the_past');
  return command.cancellationDate;
}

/** The status of an item follows what is known of its end. */
const refreshed = <I extends ItemTerms>(
  item: I,
  subscription: SubscriptionTerms,
  priceOf: PriceOf,
  now: Date,
  zone: string,
): I =>
  item.status === 'terminated'
    ? item
    : withStatus(item, priceOf(item.pricePlanId), now, zone, itemEnd(subscription, item));

/** The cancellation date is reached. What ended while paused ended with the beginning of the pause. */
export function takeEffect<S extends SubscriptionTerms, I extends ItemTerms>({
  subscription,
  items,
}: Agreement<S, I>): Agreement<S, I> {
  const open: Gap | undefined = subscription.status === 'paused' ? subscription.pauses.at(-1) : undefined;
  const endsOn =
    open && subscription.endsOn !== null && open.from < subscription.endsOn ? open.from : subscription.endsOn;
  return {
    subscription: {
      ...subscription,
      status: 'cancelled',
      endsOn,
      pauses: open ? subscription.pauses.slice(0, -1) : subscription.pauses,
    },
    items: items.map((item) => ({ ...item, status: 'terminated' })),
  };
}

/** @throws DomainError `invalid_status_transition` unless a cancellation lies in the future. */
export function revokeCancellation<S extends SubscriptionTerms, I extends ItemTerms>(
  { subscription, items }: Agreement<S, I>,
  priceOf: PriceOf,
  now: Date,
  zone: string,
): Agreement<S, I> {
  if (!isCancellationPending(subscription))
    throw invalidTransition('subscription', subscription.status, 'revoke-cancellation');
  const revoked = { ...subscription, cancellationDate: null, cancelledAt: null, endsOn: null };
  return { subscription: revoked, items: items.map((item) => refreshed(item, revoked, priceOf, now, zone)) };
}

/**
 * As a cancellation that takes effect now, whatever is declared already: what is paid beyond today is unused.
 * @throws DomainError `invalid_status_transition`.
 */
export function endNow<S extends SubscriptionTerms, I extends ItemTerms>(
  { subscription, items }: Agreement<S, I>,
  priceOf: PriceOf,
  now: Date,
  zone: string,
): Agreement<S, I> {
  const { status } = subscription;
  if (status === 'draft' || status === 'terminated') throw invalidTransition('subscription', status, 'terminate');
  if (status !== 'active' && status !== 'paused') return { subscription, items };
  const command = { now, zone, cancellationDateType: 'immediate', cancellationDate: null } as const;
  return cancel({ subscription, items }, priceOf, command);
}

/**
 * Any but draft → terminated: nothing is billed or credited any more.
 * @throws DomainError `invalid_status_transition`.
 */
export function terminate<S extends SubscriptionTerms, I extends ItemTerms>(
  { subscription, items }: Agreement<S, I>,
  now: Date,
  zone: string,
): Agreement<S, I> {
  if (subscription.status === 'draft' || subscription.status === 'terminated')
    throw invalidTransition('subscription', subscription.status, 'terminate');
  const today: Day = dayOf(now, zone);
  return {
    subscription: {
      ...subscription,
      status: 'terminated',
      terminatedAt: now,
      endsOn: subscription.endsOn !== null && subscription.endsOn < today ? subscription.endsOn : today,
    },
    items: items.map((item) => ({ ...item, status: 'terminated' })),
  };
}
