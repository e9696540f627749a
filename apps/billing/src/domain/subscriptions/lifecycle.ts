import { dayOf, startOfDay } from '@kontor/kernel';
import { takeEffect } from './cancel.js';
import { withStatus } from './start-item.js';
import {
  type Agreement,
  isCancellationPending,
  itemEnd,
  type ItemTerms,
  type PriceOf,
  type SubscriptionTerms,
} from './subscription.js';

/** What time alone did to a subscription. */
export type LifecycleFact = 'trial_expired' | 'plan_changed' | 'cancelled' | 'items_changed';

const lives = ({ status }: SubscriptionTerms): boolean => status === 'active' || status === 'paused';

/**
 * Everything that has come to pass until now: a trial that ended, items that began or ended, a cancellation that took
 * effect.
 */
export function passTime<S extends SubscriptionTerms, I extends ItemTerms>(
  agreement: Agreement<S, I>,
  priceOf: PriceOf,
  now: Date,
  zone: string,
): Agreement<S, I> & { facts: LifecycleFact[] } {
  const facts: LifecycleFact[] = [];
  let { subscription, items } = agreement;
  if (!lives(subscription)) return { subscription, items, facts };
  const { trialEndsOn } = subscription;
  if (trialEndsOn !== null && subscription.trialEndedAt === null && trialEndsOn <= now) {
    subscription = { ...subscription, trialEndedAt: trialEndsOn };
    facts.push('trial_expired');
  }
  if (subscription.planChange && startOfDay(subscription.planChange.from, zone) <= now) {
    subscription = { ...subscription, planId: subscription.nextPlanId ?? null, nextPlanId: null, planChange: null };
    facts.push('plan_changed');
  }
  const before = items;
  items = items.map((item) =>
    item.startOn === null || item.status === 'terminated'
      ? item
      : withStatus(item, priceOf(item.pricePlanId), now, zone, itemEnd(subscription, item)),
  );
  if (items.some((item, n) => item.status !== before[n]?.status)) facts.push('items_changed');
  if (
    isCancellationPending(subscription) &&
    subscription.cancellationDate !== null &&
    subscription.cancellationDate <= now
  ) {
    ({ subscription, items } = takeEffect({ subscription, items }));
    facts.push('cancelled');
  }
  return { subscription, items, facts };
}

/** When time will change something next; null: never, as things are. */
export function nextPassage(
  { subscription, items }: Agreement,
  priceOf: PriceOf,
  now: Date,
  zone: string,
): Date | null {
  if (!lives(subscription)) return null;
  const today = dayOf(now, zone);
  const instants: Date[] = [];
  if (subscription.trialEndsOn !== null && subscription.trialEndedAt === null) instants.push(subscription.trialEndsOn);
  if (subscription.cancellationDate !== null) instants.push(subscription.cancellationDate);
  if (subscription.planChange) instants.push(startOfDay(subscription.planChange.from, zone));
  for (const item of items) {
    if (item.status === 'terminated') continue;
    if (item.endsOn !== null) instants.push(startOfDay(item.endsOn, zone));
    const begins = item.activatedAt === null && !priceOf(item.pricePlanId).payInAdvance;
    if (begins && item.startOn !== null && item.startOn > today) instants.push(startOfDay(item.startOn, zone));
  }
  if (instants.length === 0) return null;
  return instants.reduce((a, b) => (b < a ? b : a));
}
