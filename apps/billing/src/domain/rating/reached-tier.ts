import { invariant } from '@kontor/kernel';
import { compareDecimal, type Decimal } from '@kontor/money';
import type { PriceTier } from './price-terms.js';
import { tierBound, ZERO } from './slices.js';

/** The tier that a quantity lies in (bounds are inclusive); undefined for none of anything. */
export function reachedTier(units: Decimal, tiers: readonly PriceTier[]): PriceTier | undefined {
  if (compareDecimal(units, ZERO) <= 0) return undefined;
  const tier = tiers.find((candidate) => {
    const bound = tierBound(candidate);
    return bound === null || compareDecimal(units, bound) <= 0;
  });
  invariant(tier !== undefined, 'the last tier is open');
  return tier;
}
