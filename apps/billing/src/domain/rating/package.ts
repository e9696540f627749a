import { type Decimal, divideDecimal, type UnitPrice } from '@kontor/money';
import type { PricedUnits } from './price-terms.js';
import { sumSlices, ZERO } from './slices.js';

/** Started packages: 101 units in packages of 100 are two. */
export const pricePackages = (units: Decimal, packageSize: Decimal, price: UnitPrice): PricedUnits =>
  sumSlices(
    [{ quantity: divideDecimal(units, packageSize, 0, 'up'), unitPrice: price, flat: ZERO }],
    price.currencyCode,
  );
