import { compareDecimal, type Decimal, subtractDecimal } from '@kontor/money';
import type { PricedUnits, PriceTier } from './price-terms.js';
import { nothing, sumSlices, tierBound, tierFlat, tierPrice, ZERO } from './slices.js';

/** Each slice of the quantity at its own tier's price, plus the flat price of each tier that is reached. */
export function priceTiered(units: Decimal, tiers: readonly PriceTier[], currencyCode: string): PricedUnits {
  const parts = [];
  let lower = ZERO;
  for (const tier of tiers) {
    if (compareDecimal(units, lower) <= 0) break;
    const bound = tierBound(tier);
    const upper = bound !== null && compareDecimal(bound, units) < 0 ? bound : units;
    parts.push({
      quantity: subtractDecimal(upper, lower),
      unitPrice: tierPrice(tier, currencyCode),
      flat: tierFlat(tier, currencyCode),
    });
    lower = upper;
  }
  return parts.length === 0 ? nothing(currencyCode) : sumSlices(parts, currencyCode);
}
