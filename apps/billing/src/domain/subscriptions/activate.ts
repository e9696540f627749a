import { addDays, type Day, dayOf, DomainError, invalidTransition, startOfDay, validationFailed } from '@kontor/kernel';
import type { BillingGroupDate } from '../periods/billing-group.js';
import { startItem } from './start-item.js';
import type { Agreement, ItemTerms, PriceOf, SubscriptionTerms } from './subscription.js';

export interface ActivationCommand {
  readonly now: Date;
  readonly zone: string;
  readonly trialDays: number | null;
  readonly billingStart: Date | null;
  readonly group: BillingGroupDate | null;
}

/**
 * draft or offer → active: items get their start, a trial moves it to its end. `billingStart` defaults to now.
 * @throws DomainError `invalid_status_transition`.
 */
export function activate<S extends SubscriptionTerms, I extends ItemTerms>(
  { subscription, items }: Agreement<S, I>,
  priceOf: PriceOf,
  command: ActivationCommand,
): Agreement<S, I> {
  if (subscription.status !== 'draft' && subscription.status !== 'offer')
    throw invalidTransition('subscription', subscription.status, 'activate');
  const { now, zone, group } = command;
  const billingStart = command.billingStart ?? subscription.billingStart ?? now;
  const trialDays = command.trialDays ?? subscription.trialDays;
  const startOn = dayOf(billingStart, zone);
  const trialEndsOn = trialDays > 0 ? startOfDay(addDays(startOn, trialDays), zone) : null;
  const afterTrialOn = trialEndsOn ? dayOf(trialEndsOn, zone) : startOn;
  return {
    subscription: {
      ...subscription,
      status: 'active',
      activatedAt: now,
      billingStart,
      trialDays,
      trialEndsOn,
      trialEndedAt: null,
      anchorOn: afterTrialOn,
    },
    items: items.map((item) =>
      startItem(item, priceOf(item.pricePlanId), { now, zone, startOn, afterTrialOn, anchorOn: afterTrialOn, group }),
    ),
  };
}

interface TrialCommand {
  readonly now: Date;
  readonly zone: string;
  readonly group: BillingGroupDate | null;
}

/** @throws DomainError `trial_not_running`, `invalid_status_transition`. */
function assertTrial(subscription: SubscriptionTerms, now: Date, action: string): Date {
  if (subscription.status !== 'active') throw invalidTransition('subscription', subscription.status, action);
  if (subscription.trialEndsOn === null || subscription.trialEndedAt !== null || subscription.trialEndsOn <= now) {
    throw new DomainError('trial_not_running', { detail: 'The subscription is not in its trial.' });
  }
  return subscription.trialEndsOn;
}

function moveTrial<S extends SubscriptionTerms, I extends ItemTerms>(
  { subscription, items }: Agreement<S, I>,
  priceOf: PriceOf,
  command: TrialCommand,
  trialEndsOn: Date,
): Agreement<S, I> {
  const { now, zone, group } = command;
  const afterTrialOn = dayOf(trialEndsOn, zone);
  const startOn: Day = subscription.billingStart ? dayOf(subscription.billingStart, zone) : afterTrialOn;
  const endedOn = subscription.trialEndsOn && dayOf(subscription.trialEndsOn, zone);
  // Whoever waits for the end of the trial goes on waiting for it, whatever the price has become since.
  const awaitsEnd = ({ startOn: from, startDate }: ItemTerms): boolean => startDate === null && from === endedOn;
  return {
    subscription: { ...subscription, trialEndsOn, anchorOn: afterTrialOn },
    items: items.map((item) => {
      const price = priceOf(item.pricePlanId);
      const applyTrial = price.applyTrial || awaitsEnd(item);
      if (!applyTrial || item.billedTo !== null || item.status === 'terminated') return item;
      const terms = { now, zone, startOn, afterTrialOn, anchorOn: afterTrialOn, group };
      const moved = startItem(item, { ...price, applyTrial }, terms);
      return item.endsOn !== null || subscription.endsOn !== null ? { ...moved, status: item.status } : moved;
    }),
  };
}

/** A longer trial. @throws DomainError `trial_not_running`; `validation_failed` unless the new end is later. */
export function extendTrial<S extends SubscriptionTerms, I extends ItemTerms>(
  agreement: Agreement<S, I>,
  priceOf: PriceOf,
  command: TrialCommand & { trialEndsOn: Date },
): Agreement<S, I> {
  const end = assertTrial(agreement.subscription, command.now, 'extend-trial');
  if (command.trialEndsOn <= end)
    throw validationFailed('trialEndsOn', 'trialEndsOn must be later than the present end of the trial.', 'not_later');
  return moveTrial(agreement, priceOf, command, command.trialEndsOn);
}

/** The trial ends now, billing begins today. @throws DomainError `trial_not_running`. */
export function revokeTrial<S extends SubscriptionTerms, I extends ItemTerms>(
  agreement: Agreement<S, I>,
  priceOf: PriceOf,
  command: TrialCommand,
): Agreement<S, I> {
  assertTrial(agreement.subscription, command.now, 'revoke-trial');
  const moved = moveTrial(agreement, priceOf, command, command.now);
  return { ...moved, subscription: { ...moved.subscription, trialEndedAt: command.now } };
}
