import { type Day, invalidTransition } from '@kontor/kernel';
import type { ChangeCredit } from './planned-change.js';
import type { ChargeablePrice, ItemBilling } from './item-billing.js';
import type { Gap } from '../periods/service-periods.js';

export const SUBSCRIPTION_STATUSES = ['draft', 'active', 'paused', 'cancelled', 'terminated', 'offer'] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];
export type ItemStatus = 'pending' | 'active' | 'cancelled' | 'terminated';
export type ItemType = 'plan' | 'addon' | 'product';

/**
 * The terms and the state of a subscription that its rules need; the stored row fits as it is. Days are the customer's.
 */
export interface SubscriptionTerms {
  readonly status: SubscriptionStatus;
  /** Where billing begins unless a trial moves it; null: with the activation. */
  readonly billingStart: Date | null;
  readonly trialDays: number;
  readonly trialEndsOn: Date | null;
  /** When the trial was over, by time or by revocation; null: not yet, or none. */
  readonly trialEndedAt: Date | null;
  /** The day that intervals are counted from. */
  readonly anchorOn: Day | null;
  readonly pauses: readonly Gap[];
  /** First day that is no longer billed. */
  readonly endsOn: Day | null;
  /** The instant at which a declared cancellation takes effect. */
  readonly cancellationDate: Date | null;
  readonly cancelledAt: Date | null;
  readonly activatedAt: Date | null;
  readonly terminatedAt: Date | null;
  readonly contractStart: Date | null;
  readonly contractEnd: Date | null;
  readonly contractPeriodCount: number | null;
  readonly contractPeriod: string | null;
  readonly cancellationPeriod: string | null;
  readonly planId?: string | null;
  /** A change of the whole plan that waits for its day. */
  readonly nextPlanId?: string | null;
  readonly planChange?: PlanChange | null;
}

/** What a change of the whole plan brought along, so that it can be revoked until its day. */
export interface PlanChange {
  /** Also of the planned changes of its items. */
  readonly id: string;
  readonly from: Day;
  readonly credit: ChangeCredit;
  /** Items that begin with it … */
  readonly addedItemIds: readonly string[];
  /** … and that end with it, what belongs to such an item included. */
  readonly endedItemIds: readonly string[];
  /** When those of them that had an end would have ended without it, by id. */
  readonly formerEnds?: Readonly<Record<string, Day>>;
}

export interface ItemTerms extends ItemBilling {
  readonly status: ItemStatus;
  readonly type: ItemType;
  /** Asked for by the client; the item is not billed earlier. */
  readonly startDate: Date | null;
  /** First day that the item itself is no longer billed; the subscription may end earlier. */
  readonly endsOn: Day | null;
  /** What goes back when it ends on that day, inside a paid period; null: the unused days. */
  readonly endCredit?: ChangeCredit | null;
  readonly activatedAt: Date | null;
  /** Other prices or quantities, agreed from the beginning and counted from the first billed day; null: none. */
  readonly phases?: readonly Phase[] | null;
}

/** From a time after the start on; null: as it is by then. */
export interface Phase {
  readonly id: string;
  readonly after: string;
  readonly pricePlanId: string | null;
  readonly quantity: string | null;
}

/** A price plan as the rules of subscriptions need it. */
export interface ItemPrice extends ChargeablePrice {
  /** Whether a trial defers it. */
  readonly applyTrial: boolean;
}
export type PriceOf = (pricePlanId: string) => ItemPrice;

/** A subscription with its items, before or after a change. */
export interface Agreement<S extends SubscriptionTerms = SubscriptionTerms, I extends ItemTerms = ItemTerms> {
  readonly subscription: S;
  readonly items: readonly I[];
}

/** First day on which an item is no longer billed; null: open-ended. */
export const itemEnd = (
  subscription: Pick<SubscriptionTerms, 'endsOn'>,
  item: Pick<ItemTerms, 'endsOn'>,
): Day | null => {
  if (subscription.endsOn === null) return item.endsOn;
  return item.endsOn !== null && item.endsOn < subscription.endsOn ? item.endsOn : subscription.endsOn;
};

/**
 * What goes back when an item ends inside a paid period; null: the unused days. What was agreed with its own end counts only where
 * that comes first.
 */
export const endCreditOf = (
  { endsOn }: Pick<SubscriptionTerms, 'endsOn'>,
  item: Pick<ItemTerms, 'endsOn' | 'endCredit'>,
): ChangeCredit | null =>
  item.endsOn !== null && (endsOn === null || item.endsOn < endsOn) ? (item.endCredit ?? null) : null;

/**
 * What is offered stays as it was published, until it is accepted or the offer is archived.
 * @throws DomainError `invalid_status_transition`
 */
export function mustNotBeOffered({ status }: Pick<SubscriptionTerms, 'status'>): void {
  if (status === 'offer') throw invalidTransition('subscription', status, 'change');
}

export const isCancellationPending = (subscription: Pick<SubscriptionTerms, 'status' | 'cancellationDate'>): boolean =>
  subscription.cancellationDate !== null && (subscription.status === 'active' || subscription.status === 'paused');
