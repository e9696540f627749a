import { DomainError } from '@kontor/kernel';
import { isUnmeasured, type Measured, type QuantityRequest, type Unmeasured } from '../metering/metered.js';
import { failureOf, type RatedAccount, type RatingFailure } from './rated-account.js';
import type { Account } from './rating-context.js';

/** Whether the source of a quantity did not answer in time. */
export const isUsageUnavailable = (measured: Measured, { key }: QuantityRequest): boolean => {
  const found = measured.get(key);
  return found !== undefined && isUnmeasured(found) && found.retryable;
};

/**
 * Nothing of the account is billed now; the subscriptions whose quantities are not available are listed with the
 * reason.
 */
export function deferAccount(
  account: RatedAccount,
  unavailable: readonly QuantityRequest[],
  measured: Measured,
): RatedAccount {
  const reasons = new Map(
    unavailable.map(({ key, subscriptionId }) => [subscriptionId, (measured.get(key) as Unmeasured).reason]),
  );
  const deferred = [...reasons].map(([subscriptionId, reason]): RatingFailure => {
    return { ...failureOf(subscriptionId, new DomainError(reason)), retryable: true };
  });
  const others = account.failures.filter((failure) => !reasons.has(failure.subscriptionId));
  return unbilled(account, [...others, ...deferred]);
}

/** An account whose lines cannot be stored: each of its subscriptions fails with the error. */
export const failAccount = (account: RatedAccount, error: unknown): RatedAccount =>
  unbilled(account, [
    ...account.failures,
    ...account.rated.map(({ subscription }) => failureOf(subscription.id, error)),
  ]);

/** An account that is rated with the next batch. */
export const postponed = (account: Account): RatedAccount => ({
  account,
  rated: [],
  failures: [],
  corrections: [],
  corrected: [],
  requests: [],
  isCut: true,
});

const unbilled = (account: RatedAccount, failures: readonly RatingFailure[]): RatedAccount => ({
  ...account,
  rated: [],
  corrections: [],
  corrected: [],
  failures,
  isCut: false,
});
