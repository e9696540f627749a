import {
  addDecimal,
  type Decimal,
  decimal,
  decimalOf,
  exponentOf,
  formatDecimal,
  multiplyDecimal,
  unitPriceDecimal,
  type UnitPrice,
} from '@kontor/money';
import type { PricedUnits, PriceSlice, PriceTier } from './price-terms.js';

export const ZERO: Decimal = decimalOf(0);
export const ONE_UNIT: Decimal = decimalOf(1);

export const tierPrice = (tier: PriceTier, currencyCode: string): UnitPrice => ({
  amount: BigInt(tier.unitPriceAmount),
  precision: tier.unitPricePrecision,
  currencyCode,
});

/** The tier's one-time price in major units. */
export const tierFlat = (tier: PriceTier, currencyCode: string): Decimal =>
  decimalOf(BigInt(tier.flatPriceAmount), exponentOf(currencyCode));

export const tierBound = (tier: PriceTier): Decimal | null => (tier.upTo === null ? null : decimal(tier.upTo));

interface SlicePart {
  readonly quantity: Decimal;
  readonly unitPrice: UnitPrice | null;
  readonly flat: Decimal;
}

const amountOf = ({ quantity, unitPrice, flat }: SlicePart): Decimal =>
  addDecimal(unitPrice ? multiplyDecimal(quantity, unitPriceDecimal(unitPrice)) : ZERO, flat);

const show = (part: SlicePart, minScale: number): PriceSlice => ({
  quantity: formatDecimal(part.quantity),
  unitPrice: part.unitPrice ? formatDecimal(unitPriceDecimal(part.unitPrice), minScale) : null,
  flatPrice: part.flat.coefficient === 0n ? null : formatDecimal(part.flat, minScale),
  amount: formatDecimal(amountOf(part), minScale),
});

/**
 * Sums slices. One slice without a flat part stays expressible as quantity × unit price; one that is only flat as 1 ×
 * flat.
 */
export function sumSlices(parts: readonly SlicePart[], currencyCode: string): PricedUnits {
  const exponent = exponentOf(currencyCode);
  return {
    amount: parts.map(amountOf).reduce(addDecimal, ZERO),
    slices: parts.map((part) => show(part, exponent)),
    simple: parts.length === 1 && parts[0] ? simpleForm(parts[0], currencyCode) : null,
  };
}

function simpleForm(part: SlicePart, currencyCode: string): PricedUnits['simple'] {
  if (part.unitPrice && part.flat.coefficient === 0n) return { quantity: part.quantity, unitPrice: part.unitPrice };
  const units = part.unitPrice !== null && part.unitPrice.amount !== 0n && part.quantity.coefficient !== 0n;
  if (units) return null;
  const exponent = exponentOf(currencyCode);
  return {
    quantity: ONE_UNIT,
    unitPrice: {
      amount: part.flat.coefficient * 10n ** BigInt(exponent - part.flat.scale),
      precision: exponent,
      currencyCode,
    },
  };
}

/** What no unit costs: nothing, as zero units of nothing. */
export const nothing = (currencyCode: string): PricedUnits => ({
  amount: ZERO,
  slices: [],
  simple: { quantity: ONE_UNIT, unitPrice: { amount: 0n, precision: exponentOf(currencyCode), currencyCode } },
});
