import type { Decimal } from '@kontor/money';
import type { PricedUnits, PriceTier } from './price-terms.js';
import { reachedTier } from './reached-tier.js';
import { nothing, sumSlices, tierFlat, tierPrice } from './slices.js';

/** All units at the price of the tier that the quantity reaches, plus that tier's flat price. */
export function priceVolume(units: Decimal, tiers: readonly PriceTier[], currencyCode: string): PricedUnits {
  const tier = reachedTier(units, tiers);
  if (!tier) return nothing(currencyCode);
  return sumSlices(
    [{ quantity: units, unitPrice: tierPrice(tier, currencyCode), flat: tierFlat(tier, currencyCode) }],
    currencyCode,
  );
}
