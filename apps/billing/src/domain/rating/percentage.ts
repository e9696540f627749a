import { type Decimal, decimal, type UnitPrice } from '@kontor/money';
import type { PricedUnits } from './price-terms.js';
import { sumSlices, ZERO } from './slices.js';

/** A share of a quantity that is money in major units of the currency: 2.5 of 1234.56 EUR are 30.864 EUR. */
export function pricePercentage(units: Decimal, percentage: string, currencyCode: string): PricedUnits {
  const rate = decimal(percentage);
  const price: UnitPrice = { amount: rate.coefficient, precision: rate.scale + 2, currencyCode };
  return sumSlices([{ quantity: units, unitPrice: price, flat: ZERO }], currencyCode);
}
