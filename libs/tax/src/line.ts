import { type Decimal, decimal, divideRounded, extend, toMinor, type UnitPrice } from '@kontor/money';

/** A discount of one line: a percentage of its net amount, or a fixed amount that never turns the line's sign. */
export type LineDiscount = { readonly percentage: string } | { readonly fixedMinor: bigint };

export interface LineAmounts {
  /** `quantity × unit price`, rounded once half away from zero, before discount. */
  readonly netMinor: bigint;
  /** Of the sign of `netMinor` and never larger. */
  readonly discountMinor: bigint;
}

/** Net and discount of a line in minor units of the price's currency. */
export function lineAmounts(quantity: Decimal, unitPrice: UnitPrice, discount: LineDiscount | null): LineAmounts {
  const netMinor = toMinor(extend(quantity, unitPrice), unitPrice.currencyCode, 'half_up');
  return { netMinor, discountMinor: discount ? discountOf(netMinor, discount) : 0n };
}

/** The discount on a net amount: percentages rounded half away from zero, fixed ones taken at most up to the net. */
export function discountOf(netMinor: bigint, discount: LineDiscount): bigint {
  if ('percentage' in discount) {
    const percentage = decimal(discount.percentage);
    return divideRounded(netMinor * percentage.coefficient, 100n * 10n ** BigInt(percentage.scale), 'half_up');
  }
  const size = netMinor < 0n ? -netMinor : netMinor;
  const fixed = discount.fixedMinor < size ? discount.fixedMinor : size;
  return netMinor < 0n ? -fixed : fixed;
}
