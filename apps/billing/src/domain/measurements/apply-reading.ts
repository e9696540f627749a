import { type Day, dayOf, DomainError, newUuid } from '@kontor/kernel';
import { type PlannedChange, type PlannedChanges, withChange } from '../subscriptions/planned-change.js';
import { creditFrom, periodEndOf } from '../subscriptions/change-item.js';
import { itemEnd, type ItemPrice, type ItemTerms, type SubscriptionTerms } from '../subscriptions/subscription.js';
import { isMeteredBy, type MeasurementRules, type Reading } from './measured-quantity.js';
import { quantitySteps } from './quantity-steps.js';

export interface NewReading {
  readonly quantity: string;
  readonly measuredAt: Date;
  /** Readings that are known already and newer, in the order of their times. */
  readonly later: readonly Reading[];
}

export interface ReadingContext {
  readonly rules: MeasurementRules;
  readonly price: ItemPrice;
  readonly now: Date;
  readonly zone: string;
}

/** An item with the start of what was charged last. */
type BilledItem = ItemTerms & { readonly billedFrom: Day | null };

/** Clocks of clients differ. */
const CLOCK_SKEW_MS = 60_000;

/**
 * What a reading does to its item. Metered: nothing, it counts when its period is billed. Else it is the item's
 * quantity: in arrears for the running period, in advance from the end of what is paid; with fair billing in advance
 * from its day until the next reading's, what is paid for that time being credited with the next run. A price that is
 * not divided (`proRata: false`) has no fair billing.
 * @throws DomainError `measurement_in_future`, `subscription_not_active`, `subscription_ended`,
 * `period_already_billed`, `change_not_allowed`
 */
export function applyReading<I extends BilledItem>(
  item: I,
  subscription: SubscriptionTerms,
  reading: NewReading,
  context: ReadingContext,
): I {
  const { rules, price, now, zone } = context;
  const day = dayOf(reading.measuredAt, zone);
  if (reading.measuredAt.getTime() > now.getTime() + CLOCK_SKEW_MS)
    throw refusal('measurement_in_future', 'The measurement lies in the future.');
  const isOver = subscription.status === 'terminated' || item.status === 'terminated';
  const end = itemEnd(subscription, item);
  if (isOver || (end !== null && day >= end))
    throw refusal('subscription_ended', 'The subscription item had ended by then.');
  if (subscription.status === 'draft' || subscription.status === 'offer' || item.startOn === null)
    throw refusal('subscription_not_active', 'The subscription is not active yet.');
  if (day < item.startOn) throw refusal('subscription_not_active', 'The subscription item had not begun by then.');
  if (price.oneTime) throw new DomainError('change_not_allowed', { detail: 'A one-time item is not measured.' });
  const metered = isMeteredBy(rules, price.payInAdvance);
  const fair = rules.fairBilling && price.proRata && price.payInAdvance && !metered;
  const closedTo = !price.payInAdvance || metered ? item.billedTo : fair ? item.billedFrom : null;
  if (closedTo !== null && day < closedTo)
    throw refusal('period_already_billed', `The time until ${closedTo} is billed already.`);
  if (metered) return item;
  if (fair) return applyFairly(item, reading, day, context);
  if (reading.later.length > 0) return item;
  if (!price.payInAdvance || item.billedTo === null) return changed(item, reading.quantity);
  const today = dayOf(now, zone);
  if (item.billedTo <= today) return changed(item, reading.quantity);
  const from = periodEndOf(item, price, today);
  const isPlanned = item.plannedChanges?.some((change) => change.from <= from && change.quantity !== null) ?? false;
  if (!isPlanned && reading.quantity === item.quantity) return item;
  return { ...item, plannedChanges: withMeasured(item, from, reading.quantity) };
}

/** Every day since what was charged last is billed with what held on it, however many readings there were. */
function applyFairly<I extends BilledItem>(item: I, reading: NewReading, day: Day, { now, zone }: ReadingContext): I {
  // The day's last reading counts.
  if (reading.later.some(({ measuredAt }) => dayOf(measuredAt, zone) === day)) return item;
  const carried =
    reading.later.length === 0 && item.plannedChanges?.some(({ from, quantity }) => day < from && quantity !== null)
      ? { plannedChanges: item.plannedChanges.map((change) => carry(change, day, reading.quantity)) }
      : {};
  if (item.billedTo === null && day === item.startOn && item.quantitySteps === null && reading.later.length === 0)
    return { ...item, ...carried, quantity: reading.quantity };
  const steps = quantitySteps(item, reading, reading.later, zone);
  if (JSON.stringify(steps) === JSON.stringify(item.quantitySteps)) return item;
  const paid = item.billedTo !== null && item.billedTo > day;
  return { ...item, ...carried, quantitySteps: steps, ...(paid ? creditFrom(item, day, dayOf(now, zone)) : {}) };
}

/** A change that brings a quantity of its own brings the one that was measured before its day. */
const carry = (change: PlannedChange, day: Day, quantity: string): PlannedChange =>
  day < change.from && change.quantity !== null ? { ...change, quantity } : change;

/** The quantity that holds from a day on; what waits until then with another one brings the measured one, too. */
const withMeasured = (item: ItemTerms, from: Day, quantity: string): PlannedChanges =>
  withChange(
    item.plannedChanges?.map((change) =>
      change.from <= from && change.quantity !== null ? { ...change, quantity } : change,
    ) ?? null,
    { id: newUuid(), kind: 'change', from, pricePlanId: null, quantity, credit: 'pro_rata' },
  );

const refusal = (reason: string, detail: string): DomainError => new DomainError(reason, { detail });

/** Another quantity, also where a change of price is waiting: that change keeps its price. */
const changed = <I extends ItemTerms>(item: I, quantity: string): I => ({ ...item, quantity });
