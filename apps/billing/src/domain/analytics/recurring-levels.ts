import type { Day } from '@kontor/kernel';
import { divideRounded } from '@kontor/money';
import { isForPrice } from '../discounts/applied-discount.js';
import type { Discount } from '../rating/discount.js';
import { payable, rateLine } from '../rating/rate-line.js';
import { lengthOf } from '../subscriptions/change-direction.js';
import {
  type Agreement,
  itemEnd,
  type ItemPrice,
  type ItemTerms,
  type PriceOf,
} from '../subscriptions/subscription.js';

/** What a subscription brings in a year, in one currency, from a day on. */
export interface RecurringLevel {
  readonly from: Day;
  readonly planId: string | null;
  readonly currencyCode: string;
  /** Minor units, net. */
  readonly annualMinor: bigint;
}

const YEAR = lengthOf({ billingInterval: '1Y' });

/**
 * What an agreement brings in a year by day, as things are: planned changes, pauses and ends included. Usage and what is
 * charged once are no part of it, nor are discounts that end by themselves.
 * @see docs/rules/analytics.md#recurring-revenue
 */
export function recurringLevels(agreement: Agreement, priceOf: PriceOf): RecurringLevel[] {
  const { subscription, items } = agreement;
  const lines = items.flatMap((item) => linesOf(item, agreement, priceOf));
  const { planChange } = subscription;
  const turns = lines.flatMap(({ from, to }) => (to === null ? [from] : [from, to]));
  const days = [...new Set(planChange ? [...turns, planChange.from] : turns)].sort();
  const currencies = [...new Set(lines.map(({ currencyCode }) => currencyCode))];
  return currencies.flatMap((currencyCode) => {
    const ofCurrency = lines.filter((line) => line.currencyCode === currencyCode);
    const levels = days.map((from) => ({
      from,
      planId: (planChange && planChange.from <= from ? subscription.nextPlanId : subscription.planId) ?? null,
      currencyCode,
      annualMinor: ofCurrency.reduce((sum, line) => (covers(line, from) ? sum + line.annualMinor : sum), 0n),
    }));
    return levels.filter((level, n) => differs(level, levels[n - 1]));
  });
}

const differs = (level: RecurringLevel, before: RecurringLevel | undefined): boolean =>
  before === undefined
    ? level.annualMinor !== 0n
    : level.annualMinor !== before.annualMinor || (level.annualMinor !== 0n && level.planId !== before.planId);

/** One price and quantity of an item, half-open. */
interface Line {
  readonly from: Day;
  readonly to: Day | null;
  readonly currencyCode: string;
  readonly annualMinor: bigint;
}

const covers = ({ from, to }: Line, day: Day): boolean => from <= day && (to === null || day < to);

function linesOf(item: ItemTerms, { subscription }: Agreement, priceOf: PriceOf): Line[] {
  if (item.startOn === null) return [];
  const end = itemEnd(subscription, item);
  const turns = [
    ...(item.plannedChanges ?? []),
    ...(item.quantitySteps ?? []).map(({ from, quantity }) => ({ from, quantity, pricePlanId: null })),
  ].sort((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0));
  const segments: { from: Day; pricePlanId: string; quantity: string }[] = [
    { from: item.startOn, pricePlanId: item.pricePlanId, quantity: item.quantity },
  ];
  for (const { from, pricePlanId, quantity } of turns) {
    const last = segments.at(-1)!;
    const next = { pricePlanId: pricePlanId ?? last.pricePlanId, quantity: quantity ?? last.quantity };
    if (from <= last.from) segments[segments.length - 1] = { ...next, from: last.from };
    else segments.push({ ...next, from });
  }
  return segments.flatMap(({ from, pricePlanId, quantity }, n) => {
    const price = priceOf(pricePlanId);
    if (price.oneTime || price.meter) return [];
    const annualMinor = annualOf(item, price, quantity);
    const bounds = { from, to: earlier(segments[n + 1]?.from ?? null, end) };
    return withoutGaps(bounds, subscription.pauses).map((span) => ({
      ...span,
      currencyCode: price.currencyCode,
      annualMinor,
    }));
  });
}

/** More than it fits no invoice: it is never billed, and nobody's revenue. */
const MAX_ANNUAL_MINOR = BigInt(Number.MAX_SAFE_INTEGER);

/** The price of a quantity for one interval, less discounts without an end, times the intervals of a year. */
function annualOf(item: ItemTerms, price: ItemPrice, quantity: string): bigint {
  const amount = payable(rateLine(price, quantity, undefined, lastingDiscounts(item, price)));
  const annual = divideRounded(amount * YEAR.coefficient, lengthOf(price).coefficient, 'half_up');
  return annual > MAX_ANNUAL_MINOR ? 0n : annual;
}

const lastingDiscounts = (item: ItemTerms, price: ItemPrice): Discount[] =>
  (item.discounts ?? [])
    .filter((discount) => !discount.isRemoved && discount.terms.frequency === 'lifetime' && isForPrice(discount, price))
    .map(({ id, terms: { name, type, percentage, fixedAmount } }) =>
      type === 'percentage'
        ? { type, id, name, percentage: percentage ?? '0' }
        : { type, id, name, amountMinor: BigInt(fixedAmount ?? 0) },
    );

const earlier = (a: Day | null, b: Day | null): Day | null => (a === null ? b : b === null || a < b ? a : b);

interface Span {
  readonly from: Day;
  readonly to: Day | null;
}

function withoutGaps(span: Span, gaps: readonly Span[]): Span[] {
  let spans = [span];
  for (const gap of gaps)
    spans = spans.flatMap(({ from, to }) => [
      { from, to: earlier(to, gap.from) },
      ...(gap.to === null ? [] : [{ from: from > gap.to ? from : gap.to, to }]),
    ]);
  return spans.filter(({ from, to }) => to === null || from < to);
}
