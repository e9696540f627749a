import { dayOf } from '@kontor/kernel';
import type { SubscriptionItemRow } from '../db/subscription-item.row.js';
import { startItem } from '../domain/subscriptions/start-item.js';
import type { LoadedAgreement } from './agreement.js';

/** An item that a running subscription gets begins today (or after the trial), in step with the others' anchor. */
export function startAdded(
  item: SubscriptionItemRow,
  { agreement: { subscription }, prices, group, zones }: LoadedAgreement,
  now: Date,
): SubscriptionItemRow {
  const zone = zones.customer;
  const today = dayOf(now, zone);
  const billingStart = subscription.billingStart && dayOf(subscription.billingStart, zone);
  const begin = billingStart && billingStart > today ? billingStart : today;
  const trialEnd =
    subscription.trialEndsOn && subscription.trialEndedAt === null ? dayOf(subscription.trialEndsOn, zone) : null;
  const afterTrialOn = trialEnd && trialEnd > begin ? trialEnd : begin;
  const anchorOn = subscription.anchorOn ?? begin;
  const price = prices.priceOf(item.pricePlanId);
  const row = startItem(item, price, { now, zone, startOn: begin, afterTrialOn, anchorOn, group });
  return subscription.anchorOn && !group ? { ...row, anchorOn: subscription.anchorOn } : row;
}
