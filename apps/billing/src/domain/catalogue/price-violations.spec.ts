import { describe, expect, it } from '@jest/globals';
import { priceViolations, type PriceInput } from './price-violations.js';

const price = { amount: 900 };
const tiers = [
  { upTo: '10', unitPrice: price },
  { upTo: null, unitPrice: price },
];
const paths = (terms: PriceInput) => priceViolations(terms).map((violation) => violation.propertyPath);

describe('prices by type', () => {
  it.each<PriceInput>([
    { type: 'flat_fee', price },
    { type: 'per_unit', price, tiers: [] },
    { type: 'package', price, packageSize: '0.5' },
    { type: 'package', price },
    { type: 'tiered', tiers },
    { type: 'volume', tiers, price: null },
  ])('accepted: %j', (terms) => expect(paths(terms)).toEqual([]));

  it.each<[PriceInput, string]>([
    [{ type: 'flat_fee' }, 'price'],
    [{ type: 'per_unit', price, tiers }, 'tiers'],
    [{ type: 'tiered', tiers, price }, 'price'],
    [{ type: 'tiered' }, 'tiers'],
    [{ type: 'package', price, packageSize: '0' }, 'packageSize'],
    [{ type: 'flat_fee', price, packageSize: '10' }, 'packageSize'],
  ])('refused: %j because of %s', (terms, path) => expect(paths(terms)).toEqual([path]));
});
