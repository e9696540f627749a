import type { UnitPrice } from '@kontor/money';
import type { PricedUnits } from './price-terms.js';
import { ONE_UNIT, sumSlices, ZERO } from './slices.js';

/** One price for an interval, whatever the quantity. */
export const priceFlatFee = (price: UnitPrice): PricedUnits =>
  sumSlices([{ quantity: ONE_UNIT, unitPrice: price, flat: ZERO }], price.currencyCode);
