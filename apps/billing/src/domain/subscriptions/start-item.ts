import { addInterval, type Day, dayOf, parseInterval } from '@kontor/kernel';
import { type PlannedChanges, withChange } from './planned-change.js';
import { alignToGroup, type BillingGroupDate } from '../periods/billing-group.js';
import { isFree } from '../rating/price-units.js';
import type { ItemPrice, ItemStatus, ItemTerms } from './subscription.js';

export interface StartTerms {
  readonly now: Date;
  readonly zone: string;
  /** First billed day without trial. */
  readonly startOn: Day;
  /** First billed day of what a trial defers; equals `startOn` without one. */
  readonly afterTrialOn: Day;
  /** The subscription's anchor. */
  readonly anchorOn: Day;
  readonly group: BillingGroupDate | null;
}

const latest = (a: Day, b: Day | null): Day => (b !== null && b > a ? b : a);

/** Gives an item its first billed day and its anchor, and the status that follows. */
export function startItem<I extends ItemTerms>(item: I, price: ItemPrice, terms: StartTerms): I {
  const from = price.applyTrial ? terms.afterTrialOn : terms.startOn;
  const startOn = latest(from, item.startDate ? dayOf(item.startDate, terms.zone) : null);
  const anchorOn = terms.group
    ? alignToGroup(terms.group, startOn, parseInterval(price.billingInterval))
    : price.applyTrial
      ? terms.anchorOn
      : terms.startOn;
  const started = { ...item, startOn, anchorOn, ...phasesFrom(item, startOn) };
  return withStatus(started, price, terms.now, terms.zone);
}

/** The days of the phases of an item that begins on a day. */
function phasesFrom(item: ItemTerms, startOn: Day): Partial<Pick<ItemTerms, 'plannedChanges'>> {
  if (!item.phases) return {};
  const others = (item.plannedChanges ?? []).filter(({ kind }) => kind !== 'phase');
  let plannedChanges: PlannedChanges = null;
  for (const { id, after, pricePlanId, quantity } of item.phases) {
    const from = addInterval(startOn, parseInterval(after));
    plannedChanges = withChange(plannedChanges, { id, kind: 'phase', from, pricePlanId, quantity, credit: 'pro_rata' });
  }
  for (const change of others) plannedChanges = withChange(plannedChanges, change);
  return { plannedChanges };
}

/**
 * The status of an item that has its start: zero prices are active at once, arrears from their start day; in advance it
 * stays pending until it is billed. An item whose end is known is cancelled.
 */
export function withStatus<I extends ItemTerms>(
  item: I,
  price: ItemPrice,
  now: Date,
  zone: string,
  end: Day | null = item.endsOn,
): I {
  const today = dayOf(now, zone);
  const begun =
    isFree(price) || (!price.payInAdvance && !price.oneTime && item.startOn !== null && item.startOn <= today);
  const activatedAt = item.activatedAt ?? (begun ? now : null);
  return { ...item, activatedAt, status: statusOf(activatedAt !== null, end, today) };
}

function statusOf(begun: boolean, end: Day | null, today: Day): ItemStatus {
  if (end !== null) return end <= today ? 'terminated' : 'cancelled';
  return begun ? 'active' : 'pending';
}
