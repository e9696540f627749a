import { type Decimal, decimal, decimalOf, multiplyDecimal, subtractDecimal } from '@kontor/money';
import { type Share, WHOLE } from '../proration/share.js';
import { atLeast, type Ratio, ratio, roundRatio } from './ratio.js';

/** A discount on one line, in the order of its application. Amounts are minor units of the line's currency. */
export type Discount =
  | {
      readonly type: 'fixed_amount';
      readonly id: string;
      readonly name: string;
      readonly amountMinor: bigint;
      /** Part of the amount that belongs to the part of a line that was used; absent: all of it. */
      readonly share?: Share;
    }
  | { readonly type: 'percentage'; readonly id: string; readonly name: string; readonly percentage: string };

/** A discount as explanations and stored lines have it; amounts in minor units. */
export interface ExplainedDiscount {
  readonly id: string;
  readonly name: string;
  readonly type: Discount['type'];
  readonly percentage: string | null;
  /** What there was to take off the line. */
  readonly fixedAmount: number | null;
  /** What it took off the line. */
  readonly amount: number;
}

const HUNDRED: Decimal = decimalOf(100);

interface Step {
  readonly discount: Discount;
  readonly rest: Ratio;
}

/** Fixed discounts first (never below zero), then percentages one upon the other; what each leaves. Not rounded. */
function discountSteps(amount: Ratio, discounts: readonly Discount[]): Step[] {
  const steps: Step[] = [];
  let rest = amount;
  for (const discount of discounts) {
    if (discount.type !== 'fixed_amount') continue;
    rest = lessFixed(rest, discount.amountMinor, discount.share ?? WHOLE);
    steps.push({ discount, rest });
  }
  for (const discount of discounts) {
    if (discount.type !== 'percentage') continue;
    const kept = multiplyDecimal(subtractDecimal(HUNDRED, decimal(discount.percentage)), { coefficient: 1n, scale: 2 });
    rest = ratio(rest.numerator * kept.coefficient, rest.denominator * 10n ** BigInt(kept.scale));
    steps.push({ discount, rest });
  }
  return steps;
}

function lessFixed({ numerator, denominator }: Ratio, amountMinor: bigint, { days, of }: Share): Ratio {
  const left = numerator * BigInt(of) - amountMinor * BigInt(days) * denominator;
  return ratio(left < 0n ? 0n : left, denominator * BigInt(of));
}

export interface Discounted {
  /** Not below the minimum. */
  readonly due: Ratio;
  /** What each discount took off; the sum is the rounded amount before less the rounded amount due. */
  readonly discounts: readonly ExplainedDiscount[];
  readonly minimumApplied: boolean;
}

const NO_DISCOUNTS: readonly ExplainedDiscount[] = [];

/** Fixed discounts, percentages, minimum price; nothing is rounded but what is shown. */
export function applyDiscounts(amount: Ratio, discounts: readonly Discount[], minimum: Ratio): Discounted {
  const steps = discounts.length === 0 ? [] : discountSteps(amount, discounts);
  const discounted = steps.at(-1)?.rest ?? amount;
  const due = atLeast(discounted, minimum);
  let before = steps.length === 0 ? 0n : roundRatio(atLeast(amount, minimum));
  return {
    due,
    minimumApplied: due !== discounted,
    discounts:
      steps.length === 0
        ? NO_DISCOUNTS
        : steps.map(({ discount, rest }) => {
            const after = roundRatio(atLeast(rest, minimum));
            const taken = before - after;
            before = after;
            return explained(discount, taken);
          }),
  };
}

const explained = (discount: Discount, taken: bigint): ExplainedDiscount => ({
  id: discount.id,
  name: discount.name,
  type: discount.type,
  percentage: discount.type === 'percentage' ? discount.percentage : null,
  fixedAmount: discount.type === 'fixed_amount' ? Number(discount.amountMinor) : null,
  amount: Number(taken),
});

/** The discounts that a stored line was rated with; `share`: what of it was used. */
export const discountsOfLine = (explanation: readonly ExplainedDiscount[], share: Share = WHOLE): Discount[] =>
  explanation.map(({ id, name, type, percentage, fixedAmount }) =>
    type === 'percentage'
      ? { type, id, name, percentage: percentage ?? '0' }
      : { type, id, name, amountMinor: BigInt(fixedAmount ?? 0), share },
  );
