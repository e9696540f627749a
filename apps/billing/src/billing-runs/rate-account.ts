import { type Day, DomainError } from '@kontor/kernel';
import { isSafeAmount } from '@kontor/money';
import type { SubscriptionItemRow } from '../db/subscription-item.row.js';
import type { SubscriptionRow } from '../db/subscription.row.js';
import type { ChargeDraft, CreditedCharge } from '../domain/charging/charge.js';
import { correctedPeriod, correctUsage } from '../domain/charging/correct-usage.js';
import type { MeteredPeriod, MeteredQuantity } from '../domain/charging/metered.js';
import { startText } from '../domain/periods/calendar-cache.js';
import { closingIdOf } from './closing-id.js';
import type { Amounts, MeteredAsk } from './metered-sources.js';
import { chargeItem } from '../domain/charging/charge-item.js';
import type { RoutedCharge } from '../domain/charging/group-charges.js';
import { itemEnd } from '../domain/subscriptions/subscription.js';
import { anchorFor } from '../subscriptions/anchor-for.js';
import type { Account, AccountSubscription, BillingWorld } from './load-accounts.js';

/** A rated line with the agreement that it comes from. */
export interface AccountCharge extends RoutedCharge {
  readonly subscription: SubscriptionRow;
  readonly item: SubscriptionItemRow;
  /** Revision of the item when the line was rated. */
  readonly revision: number;
}

export interface RatedSubscription {
  readonly subscription: SubscriptionRow;
  readonly items: readonly SubscriptionItemRow[];
  /** The items as they were, in the same order. */
  readonly before: readonly SubscriptionItemRow[];
  readonly charges: readonly AccountCharge[];
  readonly credited: readonly CreditedCharge[];
}

/** A subscription that could not be rated; the others of its account go on. */
export interface RatingFailure {
  readonly subscriptionId: string;
  readonly reason: string;
  readonly error: unknown;
  /** Somebody did not answer: it is tried again soon. */
  readonly again?: boolean;
}

export interface RatedAccount {
  readonly account: Account;
  readonly rated: readonly RatedSubscription[];
  readonly failures: readonly RatingFailure[];
  /** Lines that correct billed usage; their items stay as they are. */
  readonly corrections: readonly AccountCharge[];
  /** Closings whose corrections are among them. */
  readonly corrected: readonly string[];
  /** Periods that must be measured before the account can be rated. */
  readonly asks: readonly MeteredAsk[];
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
  readonly amounts?: Amounts;
  /** Leaves items of which something must be measured first as they are. */
  readonly skipUnmeasured?: boolean;
  /** Corrects billed usage too. */
  readonly corrections?: boolean;
}

/** Rates everything of one account that is due. Pure but for its input: nothing is stored. */
export function rateAccount(account: Account, world: BillingWorld, scope: RatingScope): RatedAccount {
  const rated: RatedSubscription[] = [];
  const failures: RatingFailure[] = [];
  const asks: MeteredAsk[] = [];
  for (const one of account.subscriptions) {
    if (scope.subscriptionId !== undefined && one.subscription.id !== scope.subscriptionId) continue;
    if (!scope.everything && one.subscription.status !== 'active' && one.subscription.status !== 'cancelled') continue;
    try {
      const result = rateSubscription(one, world, scope, { asks, read: meterReader(account, one.subscription.id, scope, asks) });
      if (result === null) continue;
      for (const { charge } of result.charges) refuseUnsafe(charge);
      if (account.archived && result.charges.length > 0) throw new DomainError('customer_archived');
      rated.push(result);
    } catch (error) {
      failures.push({ subscriptionId: one.subscription.id, reason: error instanceof DomainError ? error.reason : 'internal_error', error });
    }
  }
  const corrections = scope.corrections ? rateCorrections(account, world, scope, { rated, failures, asks }) : [];
  return {
    account,
    rated,
    failures,
    corrections: corrections.map(({ charge }) => charge),
    corrected: corrections.map(({ closingId }) => closingId),
    asks,
  };
}

/** Reads what was measured; of a period that was not, notes that it has to be. */
const meterReader =
  ({ customerId, zone }: Account, subscriptionId: string, { amounts }: RatingScope, asks: MeteredAsk[]) =>
  (period: MeteredPeriod): MeteredQuantity => {
    const key = closingIdOf(period);
    const found = amounts?.get(key);
    if (found && 'reason' in found) throw new DomainError(found.reason);
    if (found) return found;
    const instant = (day: Day): Date => new Date(startText(day, zone));
    asks.push({ ...period, key, customerId, subscriptionId, fromInstant: instant(period.from), toInstant: instant(period.to) });
    return NOT_MEASURED;
  };
const NOT_MEASURED: MeteredQuantity = { quantity: '0', groups: [], closingId: null };

interface Meters {
  readonly read: ReturnType<typeof meterReader>;
  readonly asks: MeteredAsk[];
}

/**
 * Corrections join the earliest of the account's lines. While something of it will fall due they wait for that, else they are billed
 * on their own.
 */
function rateCorrections(
  account: Account,
  world: BillingWorld,
  scope: RatingScope,
  { rated, failures, asks }: { rated: readonly RatedSubscription[]; failures: RatingFailure[]; asks: MeteredAsk[] },
): { charge: AccountCharge; closingId: string }[] {
  if (account.corrections.length === 0) return [];
  const days = rated.flatMap((one) => one.charges.map(({ charge }) => charge.dueOn)).sort();
  return account.corrections.flatMap((correction) => {
    const { subscriptionId } = correction;
    const one = account.subscriptions.find(({ subscription }) => subscription.id === subscriptionId);
    const item = one?.items.find(({ id }) => id === correction.itemId);
    const dueOn = days[0] ?? (correction.alone && correction.markedOn <= scope.until ? correction.markedOn : null);
    const price = world.prices.priceOf(correction.pricePlanId);
    if (!one || !item || dueOn === null || !price.meter) return [];
    try {
      const measured = meterReader(account, subscriptionId, scope, asks)(correctedPeriod(correction, price.meter));
      const charge = correctUsage(correction, price, price.meter, measured, dueOn);
      refuseUnsafe(charge);
      if (account.archived) throw new DomainError('customer_archived');
      const route = world.routes.routeOf(one.subscription);
      return [
        {
          closingId: correction.closingId,
          charge: { charge, route, subscription: one.subscription, item, revision: correction.corrections + 1 },
        },
      ];
    } catch (error) {
      failures.push({ subscriptionId, reason: error instanceof DomainError ? error.reason : 'internal_error', error });
      return [];
    }
  });
}

/** Amounts travel as JSON numbers: beyond 2^53 they would be wrong. @throws DomainError `amount_out_of_range` */
function refuseUnsafe({ amount }: ChargeDraft): void {
  if (!isSafeAmount(amount.netMinor) || !isSafeAmount(amount.unitPrice.amount)) throw new DomainError('amount_out_of_range');
}

/** Null when nothing of it changes. */
function rateSubscription(
  { subscription, items }: AccountSubscription,
  world: BillingWorld,
  scope: RatingScope,
  meters: Meters,
): RatedSubscription | null {
  const route = world.routes.routeOf(subscription);
  const group = subscription.billingGroupId === null ? null : (world.groups.get(subscription.billingGroupId) ?? null);
  const charges: AccountCharge[] = [];
  const credited: CreditedCharge[] = [];
  const after = items.map((item) => {
    if (!scope.everything && (item.nextDueOn === null || item.nextDueOn > scope.until)) return item;
    if (scope.itemIds && !scope.itemIds.includes(item.id)) return item;
    const result = chargeItem(item, {
      priceOf: world.prices.priceOf,
      gaps: subscription.pauses,
      endsOn: itemEnd(subscription, item),
      until: scope.until,
      anchorFor: anchorFor(group),
      billed: world.billed.get(item.id) ?? [],
      measured: meters.read,
    });
    if (scope.skipUnmeasured && meters.asks.splice(0).length > 0) return item;
    const gaveBack = result.credited.length > 0 || (item.creditFrom !== null && result.state.creditFrom === null);
    const changed = billedItem(item, result.state as SubscriptionItemRow, result.lines, world.now, gaveBack);
    changed.nextDueOn = result.nextDueOn;
    changed.nextDueMetered = result.nextDueMetered;
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
  return after.some((item, n) => item !== items[n]) ? { subscription, items: after, before: items, charges, credited } : null;
}

/** In advance, an item becomes active when it is first billed; one whose end is known stays cancelled. */
function billedItem(
  before: SubscriptionItemRow,
  state: SubscriptionItemRow,
  lines: readonly ChargeDraft[],
  now: Date,
  gaveBack: boolean,
): SubscriptionItemRow {
  const last = lines.findLast((line) => line.kind !== 'credit');
  const begins = last !== undefined && before.activatedAt === null;
  return {
    ...state,
    status: begins && before.status === 'pending' ? 'active' : before.status,
    activatedAt: begins ? now : before.activatedAt,
    billedFrom: last?.serviceFrom ?? before.billedFrom,
    lastBilledAt: lines.length > 0 ? now : before.lastBilledAt,
    revision: gaveBack ? before.revision + 1 : before.revision,
    updatedAt: now,
  };
}
