import { addDays, addInterval, type Day, dayOf, type Interval, parseInterval, startOfDay } from '@kontor/kernel';
import { boundaryOf, indexOf } from '../calendar/calendar-cache.js';
import { type ItemTerms, type PriceOf, type SubscriptionTerms } from './subscription.js';

/** How many ends `nextPossibleCancellationDate` lists. */
const LISTED = 3;

interface Renewal {
  /** Ends are the anchor plus whole periods, from the first on. */
  readonly anchorOn: Day;
  readonly period: Interval;
  readonly firstIndex: number;
}

type Terms = Pick<
  SubscriptionTerms,
  | 'billingStart'
  | 'anchorOn'
  | 'contractStart'
  | 'contractEnd'
  | 'contractPeriodCount'
  | 'contractPeriod'
  | 'cancellationPeriod'
>;

/**
 * The next ends of the contract that can still be reached: E with now ≤ E − cancellationPeriod. The contract lasts
 * contractPeriodCount × contractPeriod from its start and is renewed by contractPeriod; a given contractEnd is its
 * first end. Without terms the ends of the billing periods count. Days of the customer's zone.
 */
export function possibleCancellationDays(
  terms: Terms,
  items: readonly ItemTerms[],
  priceOf: PriceOf,
  now: Date,
  zone: string,
): Day[] {
  const renewal = contractOf(terms, zone) ?? billingPeriodOf(terms, items, priceOf);
  const notice = terms.cancellationPeriod === null ? null : parseInterval(terms.cancellationPeriod);
  const inTime = (end: Day): boolean => startOfDay(notice ? addInterval(end, notice, -1) : end, zone) >= now;
  if (renewal === null)
    return terms.contractEnd !== null && inTime(dayOf(terms.contractEnd, zone)) ? [dayOf(terms.contractEnd, zone)] : [];
  const today = dayOf(now, zone);
  // Months differ by three days at most: no end before that is in time.
  const soonest = notice ? addDays(addInterval(today, notice), -4) : today;
  const ends: Day[] = [];
  for (
    let n = Math.max(renewal.firstIndex, indexOf(renewal.anchorOn, renewal.period, soonest));
    ends.length < LISTED;
    n++
  ) {
    const end = boundaryOf(renewal.anchorOn, renewal.period, n);
    if (inTime(end)) ends.push(end);
  }
  return ends;
}

function contractOf(terms: Terms, zone: string): Renewal | null {
  if (terms.contractPeriod === null) return null;
  const period = parseInterval(terms.contractPeriod);
  if (terms.contractEnd !== null) return { anchorOn: dayOf(terms.contractEnd, zone), period, firstIndex: 0 };
  const start = terms.contractStart ?? terms.billingStart;
  return start === null ? null : { anchorOn: dayOf(start, zone), period, firstIndex: terms.contractPeriodCount ?? 1 };
}

/** The longest interval of the items that recur: what ends with it ends all the others too, or credits their rest. */
function billingPeriodOf(terms: Terms, items: readonly ItemTerms[], priceOf: PriceOf): Renewal | null {
  if (terms.contractEnd !== null) return null;
  let longest: { item: ItemTerms; end: Day } | null = null;
  for (const item of items) {
    const price = priceOf(item.pricePlanId);
    if (price.oneTime || item.anchorOn === null || item.status === 'terminated') continue;
    const end = addInterval('2000-01-01', parseInterval(price.billingInterval));
    if (longest === null || end > longest.end) longest = { item, end };
  }
  if (!longest?.item.anchorOn) return null;
  const { item } = longest;
  const startOn = item.startOn ?? longest.item.anchorOn;
  const period = parseInterval(priceOf(item.pricePlanId).billingInterval);
  return { anchorOn: longest.item.anchorOn, period, firstIndex: indexOf(longest.item.anchorOn, period, startOn) + 1 };
}

/** The end of the current contract term, as `contractDetails.contractEnd` shows it; null without terms. */
export function contractTermEnd(terms: Terms, now: Date, zone: string): Day | null {
  const renewal = contractOf(terms, zone);
  if (renewal === null) return terms.contractEnd === null ? null : dayOf(terms.contractEnd, zone);
  const n = indexOf(renewal.anchorOn, renewal.period, dayOf(now, zone)) + 1;
  return boundaryOf(renewal.anchorOn, renewal.period, Math.max(renewal.firstIndex, n));
}
