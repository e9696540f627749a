import { DomainError } from '@kontor/kernel';
import type { QuantityRequest } from '../metering/metered.js';
import { isDue, portionOf } from './portion.js';
import { quantityReader } from './quantity-reader.js';
import { rateCorrections } from './rate-corrections.js';
import { rateSubscription } from './rate-subscription.js';
import {
  failureOf,
  type RatedAccount,
  type RatedSubscription,
  type RatingFailure,
  type RatingScope,
  refuseUnsafe,
} from './rated-account.js';
import type { Account, BillableItem, BillableSubscription, RatingContext } from './rating-context.js';

/** Rates everything of one account that is due: what cannot be rated is listed and stops nothing else. */
export function rateAccount(account: Account, context: RatingContext, scope: RatingScope): RatedAccount {
  const rated: RatedSubscription[] = [];
  const failures: RatingFailure[] = [];
  const requests: QuantityRequest[] = [];
  const endOf = scope.inPortions ? portionOf(account, scope.until) : () => scope.until;
  const isLeft = (items: readonly BillableItem[]): boolean =>
    Boolean(scope.inPortions) && items.some((item) => isDue(item, scope.until));
  for (const entry of account.subscriptions) {
    if (!isInScope(entry.subscription, scope)) continue;
    const { id } = entry.subscription;
    try {
      const read = quantityReader(account, id, context, scope, requests);
      const portion = { ...scope, until: endOf(entry.items) };
      const result = rateSubscription(entry, context, portion, { read, requests });
      if (result === null) continue;
      for (const { charge } of result.charges) refuseUnsafe(charge);
      if (account.archived && entry.subscription.endsOn === null && result.charges.length > 0)
        throw new DomainError('customer_archived');
      rated.push({ ...result, isCut: isLeft(result.items) });
    } catch (error) {
      failures.push(failureOf(id, error));
    }
  }
  const corrections = scope.corrections ? rateCorrections(account, context, scope, { rated, failures, requests }) : [];
  return {
    account,
    rated,
    failures,
    corrections: corrections.map(({ charge }) => charge),
    corrected: corrections.map(({ closingId }) => closingId),
    requests,
    isCut: rated.some(({ isCut }) => isCut),
  };
}

/** Of what is terminated nothing is billed or credited any more, so neither does a preview promise it. */
function isInScope({ id, status }: BillableSubscription, { subscriptionId, everything }: RatingScope): boolean {
  if (subscriptionId !== undefined && id !== subscriptionId) return false;
  if (status === 'terminated') return false;
  return Boolean(everything) || status === 'active' || status === 'cancelled';
}
