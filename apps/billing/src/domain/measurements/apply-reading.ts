import { type Day, dayOf, DomainError } from '@kontor/kernel';
import { periodEndOf } from '../subscriptions/change-item.js';
import { itemEnd, type ItemPrice, type ItemTerms, type SubscriptionTerms } from '../subscriptions/subscription.js';
import { isMeteredBy, type MeasurementRules } from './measured-quantity.js';

export interface NewReading {
  readonly quantity: string;
  readonly measuredAt: Date;
  /** Whether no reading is newer: an older one is kept, and changes nothing that is. */
  readonly isLatest: boolean;
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
 * What a reading does to its item. Metered: nothing, it counts when its period is billed. Else it is the item's quantity: with fair
 * billing from its day on (what is paid beyond it is given back with the next run), in arrears for the running period, in advance
 * from the end of what is paid.
 * @throws DomainError `measurement_in_future`, `subscription_not_active`, `subscription_ended`, `period_already_billed`, `change_not_allowed`
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
  if (isOver || (end !== null && day >= end)) throw refusal('subscription_ended', 'The subscription item had ended by then.');
  if (subscription.status === 'draft' || subscription.status === 'offer' || item.startOn === null) throw refusal('subscription_not_active', 'The subscription is not active yet.'); // prettier-ignore
  if (day < item.startOn) throw refusal('subscription_not_active', 'The subscription item had not begun by then.');
  if (price.oneTime) throw new DomainError('change_not_allowed', { detail: 'A one-time item is not measured.' });
  const metered = isMeteredBy(rules, price.payInAdvance);
  const fair = rules.fairBilling && !metered;
  const closedTo = !price.payInAdvance || metered ? item.billedTo : fair ? item.billedFrom : null;
  if (closedTo !== null && day < closedTo) throw refusal('period_already_billed', `The time until ${closedTo} is billed already.`);
  if (metered || !reading.isLatest) return item;
  if (!price.payInAdvance || item.billedTo === null) return changed(item, reading.quantity);
  const today = dayOf(now, zone);
  if (item.billedTo <= today) return changed(item, reading.quantity);
  if (item.nextFrom !== null) return { ...item, nextQuantity: reading.quantity };
  const next = { nextPricePlanId: item.pricePlanId, nextQuantity: reading.quantity };
  if (!fair) return reading.quantity === item.quantity ? item : { ...item, ...next, nextFrom: periodEndOf(item, price, today) };
  return reading.quantity === item.quantity ? item : { ...item, ...next, nextFrom: day, creditFrom: day, creditDueOn: today };
}

const refusal = (reason: string, detail: string): DomainError => new DomainError(reason, { detail });

/** Another quantity, also where a change of price is waiting: that one keeps its own. */
const changed = <I extends ItemTerms>(item: I, quantity: string): I => ({ ...item, quantity });
