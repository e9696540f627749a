import { addDecimal, compareDecimal, type Decimal, decimalOf } from '@kontor/money';
import { freeUnitsOf } from '../proration/free-units.js';
import { type Share, WHOLE } from '../proration/share.js';
import type { Discount } from './discount.js';
import type { GroupPrice, PricedUnits, PriceSlice, PriceTerms } from './price-terms.js';
import { priceUnits } from './price-units.js';
import { ratio, scaleRatio } from './ratio.js';
import { priceLine, type RatedAmount } from './rate-line.js';
import { nothing, ZERO } from './slices.js';

/** A measured quantity, in all and by the groups that choose a price. Decimal texts of any length. */
export interface UsedQuantity {
  readonly quantity: string;
  /** Empty unless prices depend on groups. */
  readonly groups: readonly { readonly group: Readonly<Record<string, string>>; readonly quantity: string }[];
}

/** Exact, whatever its number of digits. @throws SyntaxError for anything but a plain decimal. */
export function quantityOf(text: string): Decimal {
  const [whole = '', fraction = ''] = text.split('.');
  return decimalOf(BigInt(whole + fraction), fraction.length);
}

/**
 * Rates what was measured. Only free units and the minimum price follow the used days of a partial period: the quantity
 * is what it is, and so are tiers and packages. A group with a price of its own is priced by itself, with its own free
 * units; all other usage is added up and has the plan's price and free units. One sum, then discounts, the minimum
 * price, one rounding.
 */
export function rateUsage(
  terms: PriceTerms,
  used: UsedQuantity,
  share: Share = WHOLE,
  discounts: readonly Discount[] = [],
): RatedAmount {
  const priced = addUp(partsOf(terms, used, share), terms.currencyCode);
  const minimum = scaleRatio(ratio(terms.minimumPriceAmount ?? 0n, 1n), share.days, share.of);
  return priceLine(priced, { share: WHOLE, minimum, discounts, currencyCode: terms.currencyCode });
}

interface PricedPart extends PricedUnits {
  readonly group: Readonly<Record<string, string>> | null;
}

function partsOf(terms: PriceTerms, used: UsedQuantity, share: Share): PricedPart[] {
  const groupPrices = terms.groupPrices ?? [];
  const parts: PricedPart[] = [];
  const price = (quantity: Decimal, by: PriceTerms, group: PricedPart['group']): void => {
    if (compareDecimal(quantity, ZERO) > 0)
      parts.push({ ...priceUnits({ ...by, freeUnits: freeUnitsOf(by.freeUnits, share) }, quantity), group });
  };
  if (groupPrices.length === 0) {
    price(quantityOf(used.quantity), terms, null);
    return parts;
  }
  let rest = ZERO;
  for (const { group, quantity } of used.groups) {
    const match = groupPrices.find((candidate) => isGroup(candidate, group));
    if (match) price(quantityOf(quantity), termsOf(terms, match), group);
    else rest = addDecimal(rest, quantityOf(quantity));
  }
  price(rest, terms, null);
  return parts;
}

const isGroup = (price: GroupPrice, group: Readonly<Record<string, string>>): boolean =>
  Object.entries(price.group).every(([property, value]) => group[property] === value);

const termsOf = (terms: PriceTerms, price: GroupPrice): PriceTerms => ({
  ...terms,
  priceAmount: price.priceAmount === null ? null : BigInt(price.priceAmount),
  pricePrecision: price.pricePrecision,
  tiers: price.tiers,
  packageSize: price.packageSize,
  percentage: price.percentage,
  freeUnits: price.freeUnits,
});

/** Several parts are one line: its slices name their groups. */
function addUp(parts: readonly PricedPart[], currencyCode: string): PricedUnits {
  const [first] = parts;
  if (first === undefined) return nothing(currencyCode);
  const slices = parts.flatMap(({ slices, group }): readonly PriceSlice[] =>
    group ? slices.map((slice) => ({ ...slice, group })) : slices,
  );
  if (parts.length === 1) return { ...first, slices };
  return { amount: parts.map(({ amount }) => amount).reduce(addDecimal, ZERO), slices, simple: null };
}
