import { DomainError } from '@kontor/kernel';
import {
  type AppliedDiscount,
  type DiscountablePrice,
  type DiscountedProducts,
  type DiscountTerms,
  isForPrice,
} from './applied-discount.js';

/** A discount that lines are to get, from a coupon or by hand. */
export interface NewDiscount {
  readonly terms: DiscountTerms;
  readonly products: DiscountedProducts;
  readonly couponId: string | null;
  readonly redemptionId: string | null;
  readonly sharedId: string | null;
}

export interface DiscountedItem {
  readonly id: string;
  readonly status: string;
  readonly discounts: readonly AppliedDiscount[] | null;
}

/** Discounts of one item, removed and used up ones included. */
const MAX_DISCOUNTS = 20;

const isLive = ({ status }: AppliedDiscount): boolean => status === 'pending' || status === 'active';

/** Whether a coupon is on an item already and has not been removed or used up. */
export const hasCoupon = ({ discounts }: DiscountedItem, couponId: string): boolean =>
  (discounts ?? []).some((discount) => discount.couponId === couponId && isLive(discount));

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
  const added: AppliedDiscount = {
    id,
    ...discount,
    status: 'pending',
    appliedIntervals: 0,
    intervalFrom: null,
    lines: 0,
    taken: 0,
    appliedAt: now.toISOString(),
  };
  return { ...item, discounts: [...before, added] };
}

/** What is billed stays; lines to come are without it. Null: the item has no such discount to remove. */
export function removeDiscount<I extends DiscountedItem>(item: I, discountId: string): I | null {
  const found = item.discounts?.find(({ id, status }) => id === discountId && status !== 'removed');
  if (!found) return null;
  return {
    ...item,
    discounts: (item.discounts ?? []).map((discount) =>
      discount === found ? { ...discount, status: 'removed' } : discount,
    ),
  };
}

/**
 * An item that joins a subscription has what is left of the discounts that all lines share.
 */
export function shareDiscounts<I extends DiscountedItem>(
  item: I,
  siblings: readonly DiscountedItem[],
  price: DiscountablePrice,
  newId: () => string,
): I {
  const shared = new Map<string, AppliedDiscount>();
  for (const discount of siblings.flatMap(({ discounts }) => discounts ?? [])) {
    if (discount.sharedId === null || !isLive(discount) || !isForPrice(discount, price)) continue;
    const known = shared.get(discount.sharedId);
    if (!known || known.appliedIntervals < discount.appliedIntervals) shared.set(discount.sharedId, discount);
  }
  if (shared.size === 0) return item;
  const joined = [...shared.values()].map((discount) => ({
    ...discount,
    id: newId(),
    intervalFrom: null,
    lines: 0,
    taken: 0,
  }));
  return { ...item, discounts: [...(item.discounts ?? []), ...joined] };
}

/** Redemptions that nothing is left of: removed everywhere before anything was billed with them. */
export function unusedRedemptions(items: readonly DiscountedItem[], removed: readonly string[]): string[] {
  const all = items.flatMap(({ discounts }) => discounts ?? []);
  return [...new Set(removed)].filter((redemptionId) =>
    all.every(
      (discount) =>
        discount.redemptionId !== redemptionId || (discount.status === 'removed' && discount.appliedIntervals === 0),
    ),
  );
}
