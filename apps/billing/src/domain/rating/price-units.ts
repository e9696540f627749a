import { invariant } from '@kontor/kernel';
import {
  compareDecimal,
  type Decimal,
  decimal,
  decimalOf,
  exponentOf,
  subtractDecimal,
  type UnitPrice,
} from '@kontor/money';
import { priceFlatFee } from './flat-fee.js';
import { pricePackages } from './package.js';
import { pricePerUnit } from './per-unit.js';
import { pricePercentage } from './percentage.js';
import type { GroupPrice, PricedUnits, PriceTerms } from './price-terms.js';
import { ZERO } from './slices.js';
import { priceStairStep } from './stair-step.js';
import { priceTiered } from './tiered.js';
import { priceVolume } from './volume.js';

const priceOf = (terms: PriceTerms): UnitPrice => {
  invariant(terms.priceAmount !== null, `a ${terms.type} price has a price`);
  return {
    amount: terms.priceAmount,
    precision: terms.pricePrecision ?? exponentOf(terms.currencyCode),
    currencyCode: terms.currencyCode,
  };
};

/** Units that cost something: the quantity less the free ones, never below zero. */
export function chargeableUnits(quantity: Decimal, freeUnits: number): Decimal {
  const rest = subtractDecimal(quantity, decimalOf(freeUnits));
  return compareDecimal(rest, ZERO) < 0 ? ZERO : rest;
}

/** The price of a quantity for one whole interval, free units taken off, before proration, discounts and minimum. */
export function priceUnits(terms: PriceTerms, quantity: Decimal): PricedUnits {
  const units = chargeableUnits(quantity, terms.freeUnits);
  switch (terms.type) {
    case 'flat_fee':
      return priceFlatFee(priceOf(terms));
    case 'per_unit':
      return pricePerUnit(units, priceOf(terms));
    case 'tiered':
      return priceTiered(units, terms.tiers, terms.currencyCode);
    case 'volume':
      return priceVolume(units, terms.tiers, terms.currencyCode);
    case 'stair_step':
      return priceStairStep(units, terms.tiers, terms.currencyCode);
    case 'package':
      return pricePackages(units, decimal(terms.packageSize ?? '1'), priceOf(terms));
    case 'percentage':
      return pricePercentage(units, terms.percentage ?? '0', terms.currencyCode);
  }
}

/** True when no quantity ever costs anything: such an item needs no billing to be active. */
export const isFree = (terms: PriceTerms): boolean =>
  (terms.minimumPriceAmount ?? 0n) === 0n && [terms, ...(terms.groupPrices ?? [])].every(costsNothing);

const costsNothing = ({ priceAmount, percentage, tiers }: PriceTerms | GroupPrice): boolean =>
  BigInt(priceAmount ?? 0) === 0n &&
  decimal(percentage ?? '0').coefficient === 0n &&
  tiers.every((tier) => BigInt(tier.unitPriceAmount) === 0n && BigInt(tier.flatPriceAmount) === 0n);
