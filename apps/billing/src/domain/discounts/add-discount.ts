import { DomainError } from '@kontor/kernel';
import {
  type AppliedDiscount,
  type DiscountablePrice,
  type DiscountUse,
  isForPrice,
  type ItemDiscounts,
  statusOf,
  useOf,
} from './applied-discount.js';

/** A discount that lines are to get, from a coupon or by hand. */
export type NewDiscount = Omit<AppliedDiscount, 'id' | 'isRemoved' | 'appliedAt'>;

export interface DiscountedItem extends ItemDiscounts {
  readonly id: string;
  readonly status: string;
}

/** Discounts of one item, removed and used up ones included. */
const MAX_DISCOUNTS = 20;

interface Used {
  readonly discount: AppliedDiscount;
  readonly use: DiscountUse;
}

const usedDiscounts = (item: DiscountedItem): Used[] =>
  (item.discounts ?? []).map((discount, n) => ({ discount, use: useOf(item, n) }));

const isLive = ({ discount, use }: Used): boolean => ['pending', 'active'].includes(statusOf(discount, use));

/** Whether a coupon is on an item already and has not been removed or used up. */
export const hasCoupon = (item: DiscountedItem, couponId: string): boolean =>
  usedDiscounts(item).some((used) => used.discount.couponId === couponId && isLive(used));

/** Whether an item can have a discount: it has not ended and its price is one that the discount is for. */
export const canHave = (
  { status }: Pick<DiscountedItem, 'status'>,
  discount: Pick<NewDiscount, 'terms' | 'products'>,
  price: DiscountablePrice,
): boolean => status !== 'terminated' && isForPrice(discount, price);

/** @throws DomainError `too_many_discounts` */
export function addDiscount<I extends DiscountedItem>(
  item: I,
  discount: NewDiscount,
  { id, now }: { readonly id: string; readonly now: Date },
): I {
  const before = item.discounts ?? [];
  if (before.length >= MAX_DISCOUNTS)
    throw new DomainError('too_many_discounts', { detail: `An item has at most ${MAX_DISCOUNTS} discounts.` });
  const added: AppliedDiscount = { id, ...discount, isRemoved: false, appliedAt: now.toISOString() };
  return { ...item, discounts: [...before, added] };
}

/** What is billed stays; lines to come are without it. */
export const removeDiscount = <I extends DiscountedItem>(item: I, discountId: string): I => ({
  ...item,
  discounts: (item.discounts ?? []).map((discount) =>
    discount.id === discountId ? { ...discount, isRemoved: true } : discount,
  ),
});

/** An item that joins a subscription has what is left of the discounts that all lines share. */
export function shareDiscounts<I extends DiscountedItem>(
  item: I,
  siblings: readonly DiscountedItem[],
  price: DiscountablePrice,
  newId: () => string,
): I {
  const shared = new Map<string, Used>();
  for (const used of siblings.flatMap(usedDiscounts)) {
    const { sharedId } = used.discount;
    if (sharedId === null || !isLive(used) || !isForPrice(used.discount, price)) continue;
    const known = shared.get(sharedId);
    if (!known || known.use.intervals < used.use.intervals) shared.set(sharedId, used);
  }
  if (shared.size === 0) return item;
  const all = [...usedDiscounts(item), ...[...shared.values()].map((used) => joining(used, newId()))];
  return { ...item, discounts: all.map(({ discount }) => discount), discountUses: all.map(({ use }) => use) };
}

const joining = ({ discount, use: { intervals } }: Used, id: string): Used => ({
  discount: { ...discount, id },
  use: { intervals, from: null, lines: 0, taken: 0 },
});

/** Redemptions that nothing is left of: removed everywhere before anything was billed with them. */
export function unusedRedemptions(items: readonly DiscountedItem[], removed: readonly string[]): string[] {
  const all = items.flatMap(usedDiscounts);
  return [...new Set(removed)].filter((redemptionId) =>
    all.every(
      ({ discount, use }) => discount.redemptionId !== redemptionId || (discount.isRemoved && use.intervals === 0),
    ),
  );
}
