import { creditFrom } from './change-item.js';
import { type Day, dayOf, invalidTransition, validationFailed } from '@kontor/kernel';
import type { Gap } from '../periods/service-periods.js';
import type { Agreement, ItemTerms, PriceOf, SubscriptionTerms } from './subscription.js';

/** active → paused from today on. @throws DomainError `invalid_status_transition`. */
export function pause<S extends SubscriptionTerms, I extends ItemTerms>(
  { subscription, items }: Agreement<S, I>,
  now: Date,
  zone: string,
): Agreement<S, I> {
  if (subscription.status !== 'active') throw invalidTransition('subscription', subscription.status, 'pause');
  return {
    subscription: {
      ...subscription,
      status: 'paused',
      pauses: [...subscription.pauses, { from: dayOf(now, zone), to: null }],
    },
    items,
  };
}

export interface ResumeCommand {
  readonly now: Date;
  readonly zone: string;
  /** A new anchor; nothing is billed for the pause before it. */
  readonly nextBillingDate: Date | null;
  /** Bills the pause as if there had been none. */
  readonly billMissedPeriods: boolean;
}

/**
 * paused → active. The pause is not billed, and what had been paid in advance for it is credited, unless missed periods
 * are billed; a next billing date decides from when on it is billed again. What was used before and is not billed yet
 * keeps the intervals in which it was used.
 * @throws DomainError `invalid_status_transition`; `validation_failed` for a next billing date before today.
 */
export function resume<S extends SubscriptionTerms, I extends ItemTerms>(
  { subscription, items }: Agreement<S, I>,
  priceOf: PriceOf,
  command: ResumeCommand,
): Agreement<S, I> {
  if (subscription.status !== 'paused') throw invalidTransition('subscription', subscription.status, 'resume');
  const today = dayOf(command.now, command.zone);
  const nextOn = command.nextBillingDate ? dayOf(command.nextBillingDate, command.zone) : null;
  if (nextOn !== null && nextOn < today)
    throw validationFailed('nextBillingDate', 'nextBillingDate must not be in the past.', 'in_the_past');
  const open = subscription.pauses.at(-1) as Gap;
  const resumed = nextOn ?? today;
  const isBilled = command.billMissedPeriods || resumed <= open.from;
  const gap = isBilled ? emptyGap(nextOn) : [{ from: open.from, to: resumed, ...newAnchor(nextOn) }];
  const credits = !command.billMissedPeriods;
  return {
    subscription: {
      ...subscription,
      status: 'active',
      pauses: [...broughtForward(subscription.pauses.slice(0, -1), nextOn), ...gap],
      anchorOn: nextOn ?? subscription.anchorOn,
    },
    items: items.map((item) => ({
      ...notLater(credits ? creditPause(item, priceOf, open.from, resumed) : item, nextOn),
      ...(nextOn === null || item.anchorOn === null || isUnbilledBefore(item, isBilled ? nextOn : open.from)
        ? {}
        : { anchorOn: nextOn }),
    })),
  };
}

/** What an earlier resume agreed for later days gives way to a next billing date before them. */
const broughtForward = (gaps: readonly Gap[], nextOn: Day | null): Gap[] =>
  gaps.flatMap((gap) => {
    if (nextOn === null || gap.to === null || gap.to <= nextOn) return [gap];
    return gap.from < nextOn ? [{ from: gap.from, to: nextOn }] : [];
  });

const notLater = <I extends ItemTerms>(item: I, nextOn: Day | null): I =>
  nextOn !== null && item.creditDueOn !== null && item.creditDueOn > nextOn ? { ...item, creditDueOn: nextOn } : item;

const newAnchor = (nextOn: Day | null): Partial<Gap> => (nextOn === null ? {} : { isNewAnchor: true });

const emptyGap = (on: Day | null): Gap[] => (on === null ? [] : [{ from: on, to: on, ...newAnchor(on) }]);

function isUnbilledBefore({ billedTo, startOn }: ItemTerms, day: Day): boolean {
  const reached = billedTo ?? startOn;
  return reached !== null && reached < day;
}

/** Credited with the first billing after the pause: a next billing date is kept. */
function creditPause<I extends ItemTerms>(item: I, priceOf: PriceOf, from: Day, resumed: Day): I {
  const price = priceOf(item.pricePlanId);
  const paid = item.billedTo !== null && item.billedTo > from && from < resumed;
  return paid && price.proRata && !price.oneTime ? { ...item, ...creditFrom(item, from, resumed) } : item;
}
