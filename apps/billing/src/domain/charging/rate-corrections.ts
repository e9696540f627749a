import { type Day, DomainError } from '@kontor/kernel';
import type { QuantityRequest } from '../metering/metered.js';
import { correctedPeriod, correctUsage } from './correct-usage.js';
import { quantityReader } from './quantity-reader.js';
import {
  type AccountCharge,
  failureOf,
  type RatedSubscription,
  type RatingFailure,
  type RatingScope,
  refuseUnsafe,
} from './rated-account.js';
import type { Account, PendingCorrection, RatingContext } from './rating-context.js';

interface RatedSoFar {
  readonly rated: readonly RatedSubscription[];
  readonly failures: RatingFailure[];
  readonly requests: QuantityRequest[];
}

/** When a correction is billed with which its own subscription has no line: by itself, or with what others of the account have. */
export const correctionDay = ({ alone, markedOn, othersDueOn }: PendingCorrection): Day | null =>
  alone ? markedOn : othersDueOn;

/** A preview looks at a single subscription, without the others' lines. */
function dayWithout(correction: PendingCorrection, { until, subscriptionId }: RatingScope): Day | null {
  const day = correction.alone || subscriptionId !== undefined ? correctionDay(correction) : null;
  return day !== null && day <= until ? day : null;
}

/**
 * Corrections join the earliest of the account's lines. While something of it will fall due they wait for that, else
 * they are billed by themselves.
 */
export function rateCorrections(
  account: Account,
  context: RatingContext,
  scope: RatingScope,
  { rated, failures, requests }: RatedSoFar,
): { charge: AccountCharge; closingId: string }[] {
  if (account.corrections.length === 0) return [];
  const days = rated.flatMap(({ charges }) => charges.map(({ charge }) => charge.dueOn)).sort();
  return account.corrections.flatMap((correction) => {
    const { subscriptionId } = correction;
    const entry = account.subscriptions.find(({ subscription }) => subscription.id === subscriptionId);
    const item = entry?.items.find(({ id }) => id === correction.itemId);
    const dueOn = days[0] ?? dayWithout(correction, scope);
    const price = context.prices.priceOf(correction.pricePlanId);
    if (!entry || !item || dueOn === null || !price.meter) return [];
    try {
      const read = quantityReader(account, subscriptionId, context, scope, requests);
      const measured = read(correctedPeriod(correction, price.meter));
      const charge = correctUsage(correction, price, price.meter, measured, dueOn);
      refuseUnsafe(charge);
      if (account.archived && entry.subscription.endsOn === null) throw new DomainError('customer_archived');
      const { subscription } = entry;
      const line = { charge, route: context.routeOf(subscription), subscription, item };
      return [{ closingId: correction.closingId, charge: { ...line, revision: correction.corrections + 1 } }];
    } catch (error) {
      failures.push(failureOf(subscriptionId, error));
      return [];
    }
  });
}
