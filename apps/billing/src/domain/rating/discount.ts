import { type Decimal, decimal, decimalOf, multiplyDecimal, subtractDecimal } from '@kontor/money';
import { type Ratio, ratio } from './ratio.js';

/** A discount on one line, in the order of its application. Amounts are minor units of the line's currency. */
export type Discount =
  | { readonly type: 'fixed_amount'; readonly name: string; readonly amountMinor: bigint }
  | { readonly type: 'percentage'; readonly name: string; readonly percentage: string };

const HUNDRED: Decimal = decimalOf(100);

/** Fixed discounts first (never below zero), then percentages one upon the other. Not rounded. */
export function applyDiscounts(amount: Ratio, discounts: readonly Discount[]): Ratio {
  let rest = amount;
  for (const discount of discounts) {
    if (discount.type !== 'fixed_amount') continue;
    const left = rest.numerator - discount.amountMinor * rest.denominator;
    rest = ratio(left < 0n ? 0n : left, rest.denominator);
  }
  for (const discount of discounts) {
    if (discount.type !== 'percentage') continue;
    const kept = multiplyDecimal(subtractDecimal(HUNDRED, decimal(discount.percentage)), { coefficient: 1n, scale: 2 });
    rest = ratio(rest.numerator * kept.coefficient, rest.denominator * 10n ** BigInt(kept.scale));
  }
  return rest;
}
