import type { Day } from '@kontor/kernel';
import { divideRounded } from '@kontor/money';
import type { Discount, ExplainedDiscount } from '../rating/discount.js';

export interface DiscountTerms {
  readonly name: string;
  readonly type: Discount['type'];
  /** Per cent, decimal text; null for fixed amounts. */
  readonly percentage: string | null;
  /** Minor units; null for percentages. */
  readonly fixedAmount: number | null;
  /** Of the fixed amount: the discount is for lines in this currency. */
  readonly currencyCode: string | null;
  readonly frequency: 'once' | 'limited' | 'lifetime';
  /** Billing intervals, for `limited`. */
  readonly frequencyInterval: number | null;
}

/** Products that a discount is for; an empty list says nothing. */
export interface DiscountedProducts {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

export type AppliedDiscountStatus = 'pending' | 'active' | 'exhausted' | 'removed';

/** A discount of an item and how far it is used. Its terms are those of the day on which it was applied. */
export interface AppliedDiscount {
  readonly id: string;
  /** The same for all lines that got it together; null: this item alone. */
  readonly sharedId: string | null;
  readonly couponId: string | null;
  readonly redemptionId: string | null;
  readonly terms: DiscountTerms;
  readonly products: DiscountedProducts;
  readonly status: AppliedDiscountStatus;
  /** Billing intervals that it was taken off. */
  readonly appliedIntervals: number;
  /** Start of the last of them; null: none that counts. */
  readonly intervalFrom: Day | null;
  /** Lines of that interval that have it, and what they have of a fixed amount. */
  readonly lines: number;
  readonly taken: number;
  /** ISO 8601. */
  readonly appliedAt: string;
}

/** What a discount looks at of a price. */
export interface DiscountablePrice {
  readonly currencyCode: string;
  readonly productId?: string;
}

export const isForProduct = ({ include, exclude }: DiscountedProducts, productId: string | undefined): boolean =>
  productId === undefined || ((include.length === 0 || include.includes(productId)) && !exclude.includes(productId));

/** Whether a discount is for lines with a price. */
export const isForPrice = (
  { terms, products }: Pick<AppliedDiscount, 'terms' | 'products'>,
  { currencyCode, productId }: DiscountablePrice,
): boolean => (terms.currencyCode === null || terms.currencyCode === currencyCode) && isForProduct(products, productId);

const limitOf = ({ frequency, frequencyInterval }: DiscountTerms): number =>
  frequency === 'once' ? 1 : frequency === 'limited' ? (frequencyInterval ?? 1) : Infinity;

const counted = (discount: AppliedDiscount): AppliedDiscount =>
  discount.status === 'removed' ? discount : { ...discount, status: statusOf(discount) };

function statusOf({ terms, appliedIntervals }: AppliedDiscount): AppliedDiscountStatus {
  if (appliedIntervals === 0) return 'pending';
  return appliedIntervals >= limitOf(terms) ? 'exhausted' : 'active';
}

interface Taken<D> {
  /** For the line, in the order of their application. */
  readonly discounts: readonly Discount[];
  readonly after: D;
}

const NONE: readonly Discount[] = [];

/**
 * The discounts of a line, and what is left of them. An interval counts once, however many lines it has, and so does a
 * fixed amount: a second line of an interval has what the first one has left or a credit has released.
 */
export function takeDiscounts<D extends readonly AppliedDiscount[] | null | undefined>(
  applied: D,
  intervalFrom: Day,
  price: DiscountablePrice,
): Taken<D> {
  if (!applied || applied.length === 0) return { discounts: NONE, after: applied };
  const discounts: Discount[] = [];
  const after = applied.map((discount) => {
    const taken = isForPrice(discount, price) ? take(discount, intervalFrom) : null;
    if (taken === null) return discount;
    discounts.push(taken.discount);
    return taken.after;
  });
  return discounts.length === 0 ? { discounts: NONE, after: applied } : { discounts, after: after as unknown as D };
}

function take(before: AppliedDiscount, intervalFrom: Day): { discount: Discount; after: AppliedDiscount } | null {
  if (before.status === 'removed') return null;
  const again = before.intervalFrom === intervalFrom;
  if (!again && before.appliedIntervals >= limitOf(before.terms)) return null;
  const { id, terms, lines, taken, appliedIntervals } = before;
  const rest = (terms.fixedAmount ?? 0) - (again ? taken : 0);
  if (terms.type === 'fixed_amount' && rest <= 0) return null;
  return {
    discount:
      terms.type === 'percentage'
        ? { type: 'percentage', id, name: terms.name, percentage: terms.percentage ?? '0' }
        : { type: 'fixed_amount', id, name: terms.name, amountMinor: BigInt(rest) },
    after: counted({
      ...before,
      intervalFrom,
      appliedIntervals: again ? appliedIntervals : appliedIntervals + 1,
      lines: again ? lines + 1 : 1,
      taken: terms.type === 'percentage' ? 0 : (again ? taken : 0) + rest,
    }),
  };
}

/** A stored line that a credit shortens. Days that are paid for, of the line's days. */
export interface ShortenedLine {
  readonly intervalFrom: Day;
  readonly discounts: readonly ExplainedDiscount[];
  readonly days: number;
  readonly before: number;
  readonly after: number;
}

/**
 * What credits release: the part of a fixed amount that belongs to the unused days, and the whole interval once
 * nothing of its lines is used.
 */
export function releaseUnused<D extends readonly AppliedDiscount[] | null | undefined>(
  applied: D,
  shortened: readonly ShortenedLine[],
): D {
  if (!applied || applied.length === 0 || shortened.length === 0) return applied;
  return applied.map((discount) => shortened.reduce(without, discount)) as unknown as D;
}

function without(discount: AppliedDiscount, line: ShortenedLine): AppliedDiscount {
  const had = line.discounts.find(({ id }) => id === discount.id);
  if (!had || discount.intervalFrom !== line.intervalFrom || line.after >= line.before) return discount;
  const lines = discount.lines - (line.after === 0 ? 1 : 0);
  if (lines > 0) {
    const part = (days: number): number =>
      Number(divideRounded(BigInt(had.fixedAmount ?? 0) * BigInt(days), BigInt(line.days), 'half_up'));
    return { ...discount, lines, taken: discount.taken - part(line.before) + part(line.after) };
  }
  const appliedIntervals = discount.appliedIntervals - 1;
  return counted({ ...discount, appliedIntervals, intervalFrom: null, lines: 0, taken: 0 });
}
