import type { ItemStatus, SubscriptionStatus } from '../subscriptions/subscription.js';

export const ENTITLEMENT_STATUSES = ['active', 'pending', 'disabled', 'expired'] as const;
export type EntitlementStatus = (typeof ENTITLEMENT_STATUSES)[number];
export const ENTITLEMENT_SOURCES = ['subscription', 'item', 'customer', 'product', 'price'] as const;
export type EntitlementSource = (typeof ENTITLEMENT_SOURCES)[number];

/** All that the status of an entitlement follows from. */
export interface EntitlementFacts {
  /** False: disabled by hand. */
  readonly active: boolean;
  readonly validFrom: Date | null;
  readonly validUntil: Date | null;
  readonly endedAt: Date | null;
  /** Whether the feature has ever been activated. */
  readonly isAvailable: boolean;
  /** Null where it is the customer's own. */
  readonly subscriptionStatus: SubscriptionStatus | null;
  readonly itemStatus: ItemStatus | null;
  readonly isCustomerSuspended: boolean;
}

/**
 * What an entitlement is now. A trial is use like any other; while its subscription is paused, or its customer suspended, nothing of it is active, and what
 * ended with its subscription, its item or its product is expired.
 * @see docs/rules/entitlements.md#status
 */
export function entitlementStatus(facts: EntitlementFacts, now: Date): EntitlementStatus {
  const { subscriptionStatus, itemStatus } = facts;
  const isOver =
    (facts.validUntil !== null && facts.validUntil <= now) ||
    facts.endedAt !== null ||
    subscriptionStatus === 'cancelled' ||
    subscriptionStatus === 'terminated' ||
    itemStatus === 'terminated';
  if (!facts.active) return 'disabled';
  if (isOver) return 'expired';
  const begins =
    (facts.validFrom !== null && facts.validFrom > now) ||
    !facts.isAvailable ||
    subscriptionStatus === 'draft' ||
    subscriptionStatus === 'offer';
  if (begins) return 'pending';
  return subscriptionStatus === 'paused' || facts.isCustomerSuspended ? 'disabled' : 'active';
}

/** When time alone changes the status next; null: never. */
export function nextEntitlementChange({ validFrom, validUntil, endedAt }: EntitlementFacts, now: Date): Date | null {
  if (endedAt !== null) return null;
  if (validFrom !== null && validFrom > now) return validFrom;
  return validUntil !== null && validUntil > now ? validUntil : null;
}

/** What decides where several entitlements are about one feature: the nearest to the customer. */
export interface Contender {
  readonly featureId: string;
  readonly source: EntitlementSource;
  readonly subscriptionId: string | null;
  readonly subscriptionItemId: string | null;
  readonly status: EntitlementStatus;
}

const RANK: Readonly<Record<EntitlementSource, number>> = {
  customer: 0,
  subscription: 1,
  item: 2,
  price: 3,
  product: 4,
};

/** Whether an active entitlement takes another's place: it is nearer to the customer, or at the same place and later. */
function replaces(holder: Contender, other: Contender, isLater: boolean): boolean {
  if (holder.status !== 'active') return false;
  const covers =
    holder.source === 'customer' ||
    (holder.subscriptionId === other.subscriptionId &&
      (holder.source === 'subscription' || holder.subscriptionItemId === other.subscriptionItemId));
  const nearer = RANK[other.source] - RANK[holder.source];
  return covers && (nearer > 0 || (nearer === 0 && isLater));
}

/**
 * Leaves out active entitlements that another one replaces: the customer's own replaces those of all its subscriptions, a
 * subscription's those of its items, an item's what its price gives, a price's what its product gives. Of several at one place
 * the latest holds. `contenders` from the earliest to the latest; their order is kept.
 */
export function notReplaced<C extends Contender>(contenders: readonly C[]): C[] {
  const replaced = new Set<C>();
  for (const rivals of Map.groupBy(contenders, ({ featureId }) => featureId).values())
    for (const [n, contender] of rivals.entries())
      if (contender.status === 'active' && rivals.some((other, m) => m !== n && replaces(other, contender, m > n)))
        replaced.add(contender);
  return contenders.filter((contender) => !replaced.has(contender));
}
