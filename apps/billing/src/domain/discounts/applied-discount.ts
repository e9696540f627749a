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

/** A discount of an item. Its terms are those of the day on which it was applied. */
export interface AppliedDiscount {
  readonly id: string;
  /** The same for all lines that got it together; null: this item alone. */
  readonly sharedId: string | null;
  readonly couponId: string | null;
  readonly redemptionId: string | null;
  readonly terms: DiscountTerms;
  /** Null: all. */
  readonly products: DiscountedProducts | null;
  readonly isRemoved: boolean;
  /** ISO 8601. */
  readonly appliedAt: string;
}

/** How far a discount is used. Billing moves it with each line, and stores it apart from the terms. */
export interface DiscountUse {
  /** Billing intervals that it was taken off. */
  readonly intervals: number;
  /** Start of the last of them; null: none that counts. */
  readonly from: Day | null;
  /** Lines of that interval that have it, and what they have of a fixed amount. */
  readonly lines: number;
  readonly taken: number;
}

/** The discounts of an item in the order of their application, and their uses in the same order. */
export interface ItemDiscounts {
  readonly discounts?: readonly AppliedDiscount[] | null;
  /** Shorter or null: the rest is not used yet. */
  readonly discountUses?: readonly DiscountUse[] | null;
}

const UNUSED: DiscountUse = { intervals: 0, from: null, lines: 0, taken: 0 };

export const useOf = ({ discountUses }: ItemDiscounts, n: number): DiscountUse => discountUses?.[n] ?? UNUSED;

/** What a discount looks at of a price. */
export interface DiscountablePrice {
  readonly currencyCode: string;
  readonly productId?: string;
}

/** Whether a discount is for lines with a price. */
export function isForPrice(
  { terms, products }: Pick<AppliedDiscount, 'terms' | 'products'>,
  { currencyCode, productId }: DiscountablePrice,
): boolean {
  if (terms.currencyCode !== null && terms.currencyCode !== currencyCode) return false;
  if (products === null || productId === undefined) return true;
  const { include, exclude } = products;
  return (include.length === 0 || include.includes(productId)) && !exclude.includes(productId);
}

const limitOf = ({ frequency, frequencyInterval }: DiscountTerms): number =>
  frequency === 'once' ? 1 : frequency === 'limited' ? (frequencyInterval ?? 1) : Infinity;

/** Billing intervals that a discount is still for; null: it has no end. */
export function intervalsLeft({ isRemoved, terms }: AppliedDiscount, { intervals }: DiscountUse): number | null {
  if (isRemoved) return 0;
  const limit = limitOf(terms);
  return limit === Infinity ? null : Math.max(limit - intervals, 0);
}

/** The item as it will be once its discounts that end have ended. */
export function withLastingDiscounts<T extends ItemDiscounts>(item: T): T {
  const { discounts, discountUses } = item;
  if (!discounts) return item;
  const lasts = discounts.map((discount, n) => intervalsLeft(discount, useOf(item, n)) === null);
  if (lasts.every(Boolean)) return item;
  const kept = <V>(all: readonly V[]): V[] => all.filter((_, n) => lasts[n]);
  return { ...item, discounts: kept(discounts), discountUses: discountUses ? kept(discountUses) : null };
}

export type AppliedDiscountStatus = 'pending' | 'active' | 'exhausted' | 'removed';

export function statusOf({ isRemoved, terms }: AppliedDiscount, { intervals }: DiscountUse): AppliedDiscountStatus {
  if (isRemoved) return 'removed';
  if (intervals === 0) return 'pending';
  return intervals >= limitOf(terms) ? 'exhausted' : 'active';
}

export interface Taken {
  /** For the line, in the order of their application. */
  readonly discounts: readonly Discount[];
  readonly uses: ItemDiscounts['discountUses'];
}

const NONE: readonly Discount[] = [];

/**
 * The discounts of a line, and how far they are used with it. An interval counts once, however many lines it has, and
 * so does a fixed amount: a second line of an interval has what the first one has left ({@link leaveUnborne}) or a credit has released.
 */
export function takeDiscounts(item: ItemDiscounts, intervalFrom: Day, price: DiscountablePrice): Taken {
  const { discounts: applied, discountUses } = item;
  if (!applied || applied.length === 0) return { discounts: NONE, uses: discountUses };
  const discounts: Discount[] = [];
  const uses = applied.map((discount, n) => {
    const use = useOf(item, n);
    const taken = isForPrice(discount, price) ? take(discount, use, intervalFrom) : null;
    if (taken === null) return use;
    discounts.push(taken.discount);
    return taken.use;
  });
  return discounts.length === 0 ? { discounts: NONE, uses: discountUses } : { discounts, uses };
}

function take(
  { id, terms, isRemoved }: AppliedDiscount,
  use: DiscountUse,
  from: Day,
): { discount: Discount; use: DiscountUse } | null {
  if (isRemoved) return null;
  const again = use.from === from;
  if (!again && use.intervals >= limitOf(terms)) return null;
  const before = again ? use : { intervals: use.intervals + 1, lines: 0, taken: 0 };
  const { name, type, percentage, fixedAmount } = terms;
  if (type === 'percentage')
    return {
      discount: { type, id, name, percentage: percentage ?? '0' },
      use: { intervals: before.intervals, from, lines: before.lines + 1, taken: 0 },
    };
  const rest = (fixedAmount ?? 0) - before.taken;
  if (rest <= 0) return null;
  return {
    discount: { type, id, name, amountMinor: BigInt(rest) },
    use: { intervals: before.intervals, from, lines: before.lines + 1, taken: before.taken + rest },
  };
}

/** What a line could not bear of a fixed amount is left for the next line of its interval. */
export function leaveUnborne(
  { discounts: applied }: ItemDiscounts,
  uses: ItemDiscounts['discountUses'],
  discounts: readonly ExplainedDiscount[],
): ItemDiscounts['discountUses'] {
  const unborne = discounts.filter(({ fixedAmount, amount }) => fixedAmount !== null && amount < fixedAmount);
  if (!applied || !uses || unborne.length === 0) return uses;
  return uses.map((use, n) => {
    const had = unborne.find(({ id }) => id === applied[n]?.id);
    return had ? { ...use, taken: use.taken - ((had.fixedAmount ?? 0) - had.amount) } : use;
  });
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
 * What credits release: the part of a fixed amount that belongs to the unused days, and the whole interval once nothing
 * of its lines is used.
 */
export function releaseUnused(
  item: ItemDiscounts,
  shortened: readonly ShortenedLine[],
): NonNullable<ItemDiscounts['discountUses']> | null {
  if (!item.discounts || shortened.length === 0) return item.discountUses ?? null;
  return item.discounts.map(({ id }, n) => shortened.reduce((use, line) => released(id, use, line), useOf(item, n)));
}

function released(id: string, use: DiscountUse, line: ShortenedLine): DiscountUse {
  const had = line.discounts.find((discount) => discount.id === id);
  if (!had || use.from !== line.intervalFrom || line.after >= line.before) return use;
  const lines = use.lines - (line.after === 0 ? 1 : 0);
  if (lines === 0) return { ...UNUSED, intervals: use.intervals - 1 };
  const taken = had.fixedAmount === null ? 0 : had.amount;
  const part = (days: number): number =>
    Number(divideRounded(BigInt(taken) * BigInt(days), BigInt(line.days), 'half_up'));
  return { ...use, lines, taken: use.taken - part(line.before) + part(line.after) };
}
