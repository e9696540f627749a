import { type Day, DomainError } from '@kontor/kernel';
import { isSafeAmount } from '@kontor/money';
import type { Measured, QuantityRequest } from '../metering/metered.js';
import type { ChargeDraft, CreditedCharge } from './charge.js';
import type { InvoiceRoute } from './group-charges.js';
import type { PreviewedLines } from './previewed-lines.js';
import type { Account, BillableItem, BillableSubscription } from './rating-context.js';

/** A rated line with the agreement that it comes from. */
export interface AccountCharge {
  readonly charge: ChargeDraft;
  readonly route: InvoiceRoute;
  readonly subscription: BillableSubscription;
  readonly item: BillableItem;
  /** Revision of the item when the line was rated. */
  readonly revision: number;
}

export interface RatedSubscription {
  readonly subscription: BillableSubscription;
  readonly items: readonly BillableItem[];
  /** The items as they were, in the same order. */
  readonly before: readonly BillableItem[];
  readonly charges: readonly AccountCharge[];
  readonly credited: readonly CreditedCharge[];
  /** Only a portion of what is due was rated. */
  readonly isCut: boolean;
}

/** A subscription that could not be rated; the others of its account go on. */
export interface RatingFailure {
  readonly subscriptionId: string;
  readonly reason: string;
  readonly error: unknown;
  /** A source did not answer: the account is billed again soon. */
  readonly retryable?: boolean;
}

export interface RatedAccount {
  readonly account: Account;
  readonly rated: readonly RatedSubscription[];
  readonly failures: readonly RatingFailure[];
  /** Lines that correct billed usage; their items stay as they are. */
  readonly corrections: readonly AccountCharge[];
  /** Closings whose corrections are among them. */
  readonly corrected: readonly string[];
  /** Quantities that must be measured before the account can be rated. */
  readonly requests: readonly QuantityRequest[];
  /** More is due than was rated: the account is billed again at once. */
  readonly isCut: boolean;
}

export interface RatingScope {
  /** Lines that fall due on or before this day. */
  readonly until: Day;
  /** Only these items; absent: all. */
  readonly itemIds?: readonly string[] | null;
  readonly subscriptionId?: string;
  /** Also what is not active and items whose due day is not stored: for previews. */
  readonly everything?: boolean;
  /** What was measured so far. */
  readonly measured?: Measured;
  /** Leaves items of which something must be measured first as they are. */
  readonly skipUnmeasured?: boolean;
  /** Corrects billed usage too. */
  readonly corrections?: boolean;
  /** Rates no more than a portion of what is due; absent: all of it. */
  readonly inPortions?: boolean;
  /** Counts lines, and refuses more than a preview may have. */
  readonly previewed?: PreviewedLines;
}

export const failureOf = (subscriptionId: string, error: unknown): RatingFailure => ({
  subscriptionId,
  reason: error instanceof DomainError ? error.reason : 'internal_error',
  error,
});

/** Amounts travel as JSON numbers: beyond 2^53 they would be wrong. @throws DomainError `amount_out_of_range` */
export function refuseUnsafe({ amount }: ChargeDraft): void {
  if (!isSafeAmount(amount.netMinor) || !isSafeAmount(amount.unitPrice.amount))
    throw new DomainError('amount_out_of_range');
}

/** Subscriptions that a run counts as billed: those that got a line, and none of which more is due. */
export function finishedSubscriptions(accounts: readonly RatedAccount[]): string[] {
  const cut = accounts.flatMap(({ rated }) => rated.filter(({ isCut }) => isCut));
  const cutIds = new Set(cut.map(({ subscription }) => subscription.id));
  return billedSubscriptions(accounts).filter((id) => !cutIds.has(id));
}

/** Subscriptions that got a line. */
const billedSubscriptions = (accounts: readonly RatedAccount[]): string[] =>
  accounts.flatMap(({ rated, corrections }) => {
    const ids = rated.filter(({ charges }) => charges.length > 0).map(({ subscription }) => subscription.id);
    return corrections.length === 0
      ? ids
      : [...new Set([...ids, ...corrections.map(({ subscription }) => subscription.id)])];
  });

/** Whether there is anything of the account that a run counts: a line or a failure. */
export const hasOutcome = (account: RatedAccount): boolean =>
  account.failures.length > 0 || billedSubscriptions([account]).length > 0;
