import {
  decimal,
  exponentOf,
  extend,
  formatDecimal,
  isDecimal,
  isSafeAmount,
  toMinor,
  type UnitPrice,
} from '@kontor/money';
import { type Share, WHOLE } from '../proration/share.js';
import { applyDiscounts, type Discount, type ExplainedDiscount } from './discount.js';
import type { PricedUnits, PriceSlice, PriceTerms } from './price-terms.js';
import { priceUnits } from './price-units.js';
import { minorRatio, type Ratio, ratio, roundRatio, scaleRatio } from './ratio.js';

/** A rated line. `quantity × unitPrice`, rounded half away from zero, is `netMinor`, which is before discount. */
export interface RatedAmount {
  /** Decimal text. */
  readonly quantity: string;
  readonly unitPrice: UnitPrice;
  readonly netMinor: bigint;
  /** Not negative. */
  readonly discountMinor: bigint;
  /** What each discount took off; the sum is `discountMinor`. */
  readonly discounts: readonly ExplainedDiscount[];
  readonly slices: readonly PriceSlice[];
  readonly minimumApplied: boolean;
}

/**
 * Rates one line in the binding order: free units, tier price, proration, fixed discounts, percentages, minimum price,
 * one rounding. Taxes come with the document.
 */
export function rateLine(
  terms: PriceTerms,
  quantity: string,
  share: Share = WHOLE,
  discounts: readonly Discount[] = [],
): RatedAmount {
  const minimum = ratio(terms.minimumPriceAmount ?? 0n, 1n);
  return priceLine(priceUnits(terms, decimal(quantity)), {
    share,
    minimum,
    discounts,
    currencyCode: terms.currencyCode,
  });
}

export interface LineTerms {
  readonly share: Share;
  /** Minor units, not rounded. */
  readonly minimum: Ratio;
  readonly discounts: readonly Discount[];
  readonly currencyCode: string;
}

/**
 * From the exact price of a quantity to its line: proration, fixed discounts, percentages, minimum price, one rounding.
 */
export function priceLine(priced: PricedUnits, { share, minimum, discounts, currencyCode }: LineTerms): RatedAmount {
  const prorated = scaleRatio(minorRatio(priced.amount, currencyCode), share.days, share.of);
  const { due, discounts: taken, minimumApplied } = applyDiscounts(prorated, discounts, minimum);
  const dueMinor = roundRatio(due);
  const beforeDiscount = roundRatio(prorated);
  const netMinor = beforeDiscount > dueMinor ? beforeDiscount : dueMinor;
  return {
    ...lineForm(priced, share, netMinor, currencyCode),
    netMinor,
    discountMinor: netMinor - dueMinor,
    discounts: taken,
    slices: priced.slices,
    minimumApplied,
  };
}

/** What a customer pays for the line: net after discount, minor units. */
export const payable = (line: Pick<RatedAmount, 'netMinor' | 'discountMinor'>): bigint =>
  line.netMinor - line.discountMinor;

type LineForm = Pick<RatedAmount, 'quantity' | 'unitPrice'>;

/**
 * Quantity × price where that gives the net, else once the net: a document's line must multiply out (EN 16931 BT-131).
 */
function lineForm({ simple }: PricedUnits, share: Share, netMinor: bigint, currencyCode: string): LineForm {
  if (simple) {
    const scaled = simple.unitPrice.amount * BigInt(share.days);
    const unitPrice = { ...simple.unitPrice, amount: scaled / BigInt(share.of) };
    const divides = scaled % BigInt(share.of) === 0n;
    const fits = isDecimal(formatDecimal(simple.quantity)) && isSafeAmount(unitPrice.amount);
    if (divides && fits && toMinor(extend(simple.quantity, unitPrice), currencyCode, 'half_up') === netMinor) {
      return { quantity: formatDecimal(simple.quantity), unitPrice };
    }
  }
  return onceForm(netMinor, currencyCode);
}

/** One unit at the given amount; the sign goes on the quantity, prices are never negative (BR-27). */
export const onceForm = (netMinor: bigint, currencyCode: string): LineForm => ({
  quantity: netMinor < 0n ? '-1' : '1',
  unitPrice: { amount: netMinor < 0n ? -netMinor : netMinor, precision: exponentOf(currencyCode), currencyCode },
});
