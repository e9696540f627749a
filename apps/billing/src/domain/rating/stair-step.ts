import type { Decimal } from '@kontor/money';
import type { PricedUnits, PriceTier } from './price-terms.js';
import { reachedTier } from './reached-tier.js';
import { nothing, sumSlices, tierFlat } from './slices.js';

/** The flat price of the tier that the quantity reaches, and nothing by unit. */
export function priceStairStep(units: Decimal, tiers: readonly PriceTier[], currencyCode: string): PricedUnits {
  const tier = reachedTier(units, tiers);
  return tier
    ? sumSlices([{ quantity: units, unitPrice: null, flat: tierFlat(tier, currencyCode) }], currencyCode)
    : nothing(currencyCode);
}
