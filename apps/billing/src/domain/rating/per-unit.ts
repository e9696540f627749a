import type { Decimal, UnitPrice } from '@kontor/money';
import type { PricedUnits } from './price-terms.js';
import { sumSlices, ZERO } from './slices.js';

/** Each unit at the same price. */
export const pricePerUnit = (units: Decimal, price: UnitPrice): PricedUnits =>
  sumSlices([{ quantity: units, unitPrice: price, flat: ZERO }], price.currencyCode);
