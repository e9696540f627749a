import { addInterval, type Day, DomainError, newUuid, parseInterval, validationFailed } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import { textOrNull } from '../fields.js';
import { SubscriptionItemRow } from '../db/subscription-item.row.js';
import type { ItemType, Phase } from '../domain/subscriptions/subscription.js';
import type { PricePlanRow } from '../db/catalogue.row.js';
import type { WantedCoupon } from './apply-discounts.js';
import { lockPricePlans, planOn, type Sold } from './references.js';

export interface WantedItem {
  readonly pricePlan: string;
  readonly quantity?: string | null;
  readonly name?: string | null;
  readonly description?: string | null;
  readonly startDate?: string | null;
  readonly coupon?: string | null;
  readonly phases?: readonly WantedPhase[] | null;
  readonly parent?: string | null;
}

export interface WantedPhase {
  readonly after: string;
  readonly pricePlan?: string | null;
  readonly quantity?: string | null;
}

/** All price plans that an item names. */
export const wantedPricePlans = ({ pricePlan, phases }: WantedItem): string[] => [
  pricePlan,
  ...(phases ?? []).flatMap((phase) => phase.pricePlan ?? []),
];

/** Coupons that wanted items name, for the items that they became. */
export const wantedCoupons = (
  items: readonly SubscriptionItemRow[],
  wanted: readonly WantedItem[],
  pathOf: (n: number) => string,
): WantedCoupon[] =>
  wanted.flatMap(({ coupon }, n) => {
    const item = items[n];
    return coupon && item ? [{ itemId: item.id, coupon, propertyPath: pathOf(n) }] : [];
  });

interface Kind {
  readonly type: ItemType;
  readonly firstRanking: number;
}

interface Owner {
  readonly id: string;
  readonly customerId: string;
}

/** Items that a subscription has at once. */
export const MAX_ITEMS = 100;
/** The same with those that have ended. */
const MAX_ITEMS_EVER = 1000;

/** @throws DomainError `too_many_items` */
export function mustTakeItems(known: readonly Pick<SubscriptionItemRow, 'status'>[], more: number): void {
  const running = known.filter(({ status }) => status !== 'terminated').length;
  if (running + more > MAX_ITEMS)
    throw new DomainError('too_many_items', {
      detail: `A subscription has at most ${MAX_ITEMS} items; it would have ${running + more}.`,
    });
  if (known.length + more > MAX_ITEMS_EVER)
    throw new DomainError('too_many_items', {
      detail: `A subscription has at most ${MAX_ITEMS_EVER} items with those that have ended; begin a new one.`,
    });
}

/** Rows for items that a subscription gets; not started yet. @throws DomainError `unknown_reference` */
export async function newItems(
  tx: TenantTx,
  owner: Owner,
  wanted: readonly WantedItem[],
  as: Kind,
  sold: Sold = 'active',
): Promise<SubscriptionItemRow[]> {
  const plans = await lockPricePlans(tx, wanted.flatMap(wantedPricePlans), sold);
  return itemsOn(tx, plans, owner, wanted, as);
}

/** {@link newItems} on price plans that are locked. */
export function itemsOn(
  tx: TenantTx,
  plans: ReadonlyMap<string, PricePlanRow>,
  owner: Owner,
  wanted: readonly WantedItem[],
  as: Kind,
): SubscriptionItemRow[] {
  const items: SubscriptionItemRow[] = [];
  for (const [n, item] of wanted.entries()) {
    const plan = planOn(plans, owner.customerId, item.pricePlan, `items[${n}].pricePlan`);
    items.push(
      Object.assign(new SubscriptionItemRow(), {
        tenantId: tx.tenantId,
        id: newUuid(),
        subscriptionId: owner.id,
        customerId: owner.customerId,
        ranking: as.firstRanking + n,
        type: as.type,
        status: 'pending',
        pricePlanId: plan.id,
        quantity: item.quantity ?? '1',
        name: textOrNull(item.name),
        description: textOrNull(item.description),
        startDate: item.startDate ? new Date(item.startDate) : null,
        startOn: null,
        anchorOn: null,
        billedFrom: null,
        billedTo: null,
        lastBilledAt: null,
        endsOn: null,
        creditFrom: null,
        creditDueOn: null,
        plannedChanges: null,
        phases: phasesOf(plans, owner.customerId, item, `items[${n}]`),
        endCredit: null,
        parentId: item.parent ?? null,
        quantitySteps: null,
        discounts: null,
        discountUses: null,
        nextDueOn: null,
        nextDueMetered: false,
        revision: 0,
        activatedAt: null,
        createdAt: tx.now,
        updatedAt: tx.now,
      } satisfies SubscriptionItemRow),
    );
  }
  return items;
}

/** Only compared with each other. */
const SOME_DAY: Day = '2001-01-01';

/**
 * The later prices and quantities of a wanted item, in order. Null: none.
 * @throws DomainError `validation_failed`, `unknown_reference`
 */
function phasesOf(
  plans: ReadonlyMap<string, PricePlanRow>,
  customerId: string,
  { pricePlan, phases }: WantedItem,
  path: string,
): Phase[] | null {
  if (!phases || phases.length === 0) return null;
  const { currencyCode } = planOn(plans, customerId, pricePlan, `${path}.pricePlan`);
  let reached = SOME_DAY;
  return phases.map(({ after, pricePlan: later, quantity }, n) => {
    const at = `${path}.phases[${n}]`;
    if (!later && !quantity)
      throw validationFailed(`${at}.pricePlan`, 'A phase has another pricePlan or another quantity.', 'required');
    const begins = addInterval(SOME_DAY, parseInterval(after));
    if (begins <= reached)
      throw validationFailed(`${at}.after`, 'Phases begin one after the other, in their order.', 'not_ascending');
    reached = begins;
    const plan = later ? planOn(plans, customerId, later, `${at}.pricePlan`) : null;
    if (plan && plan.currencyCode !== currencyCode)
      throw validationFailed(
        `${at}.pricePlan`,
        'pricePlan must have the currency of the first one.',
        'currency_mismatch',
      );
    return { id: newUuid(), after, pricePlanId: plan?.id ?? null, quantity: quantity ?? null };
  });
}
