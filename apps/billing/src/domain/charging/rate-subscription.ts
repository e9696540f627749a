import type { QuantityRequest } from '../metering/metered.js';
import { anchorFor } from '../periods/billing-group.js';
import { endCreditOf, itemEnd } from '../subscriptions/subscription.js';
import type { CreditedCharge } from './charge.js';
import { chargeItem, type ItemCharges } from './charge-item.js';
import type { QuantityReader } from './quantity-reader.js';
import type { AccountCharge, RatedSubscription, RatingScope } from './rated-account.js';
import type { AccountSubscription, BillableItem, RatingContext } from './rating-context.js';

interface Quantities {
  readonly read: QuantityReader;
  readonly requests: QuantityRequest[];
}

/** Rates what is due of one subscription; null when nothing of it changes. @throws what rating an item refuses */
export function rateSubscription(
  { subscription, items }: AccountSubscription,
  context: RatingContext,
  scope: RatingScope,
  quantities: Quantities,
): Omit<RatedSubscription, 'isCut'> | null {
  const route = context.routeOf(subscription);
  const { billingGroupId } = subscription;
  const group = billingGroupId === null ? null : (context.groups.get(billingGroupId) ?? null);
  const charges: AccountCharge[] = [];
  const credited: CreditedCharge[] = [];
  const after = items.map((item) => {
    if (!isDue(item, scope)) return item;
    const result = chargeItem(item, {
      priceOf: context.prices.priceOf,
      gaps: subscription.pauses,
      endsOn: itemEnd(subscription, item),
      endCredit: endCreditOf(subscription, item),
      until: scope.until,
      anchorFor: anchorFor(group),
      billed: context.billed.get(item.id) ?? [],
      measured: quantities.read,
      previewed: scope.previewed,
    });
    if (scope.skipUnmeasured && quantities.requests.splice(0).length > 0) return item;
    const isCredited = result.credited.length > 0 || (item.creditFrom !== null && result.state.creditFrom === null);
    const changed = billedItem(item, result, context.now, isCredited);
    // A credit belongs to what was charged before it, all later lines to the next revision.
    charges.push(
      ...result.lines.map((charge) => ({
        charge,
        route,
        subscription,
        item: changed,
        revision: charge.kind === 'credit' ? item.revision : changed.revision,
      })),
    );
    credited.push(...result.credited);
    return changed;
  });
  return after.some((item, n) => item !== items[n])
    ? { subscription, items: after, before: items, charges, credited }
    : null;
}

function isDue({ id, nextDueOn }: BillableItem, { everything, until, itemIds }: RatingScope): boolean {
  if (!everything && (nextDueOn === null || nextDueOn > until)) return false;
  return !itemIds || itemIds.includes(id);
}

/** In advance, an item becomes active when it is first billed; one whose end is known stays cancelled. */
function billedItem(before: BillableItem, result: ItemCharges, now: Date, isCredited: boolean): BillableItem {
  const { state, lines, nextDueOn, nextDueMetered } = result;
  const last = lines.findLast((line) => line.kind !== 'credit');
  const begins = last !== undefined && before.activatedAt === null;
  return {
    // Charging changes where the billing of an item stands; all else of it is still there.
    ...(state as BillableItem),
    nextDueOn,
    nextDueMetered,
    status: begins && before.status === 'pending' ? 'active' : before.status,
    activatedAt: begins ? now : before.activatedAt,
    billedFrom: last?.serviceFrom ?? before.billedFrom,
    lastBilledAt: lines.length > 0 ? now : before.lastBilledAt,
    revision: isCredited ? before.revision + 1 : before.revision,
    updatedAt: now,
  };
}
