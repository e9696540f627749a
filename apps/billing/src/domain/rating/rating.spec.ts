import { describe, expect, it, test } from '@jest/globals';
import { decimal, extend, toMinor } from '@kontor/money';
import fc from 'fast-check';
import { applyDiscounts } from './discount.js';
import type { PriceTerms } from './price-terms.js';
import { isFree } from './price-units.js';
import { payable, rateLine } from './rate-line.js';
import { ratio, roundRatio } from './ratio.js';

const tier = (upTo: string | null, unit: number, flat = 0) => ({
  upTo,
  unitPriceAmount: String(unit),
  unitPricePrecision: 2,
  flatPriceAmount: String(flat),
});
const steps = [tier('10', 1000), tier('50', 800), tier(null, 600)];

const terms = (change: Partial<PriceTerms>): PriceTerms => ({
  type: 'per_unit',
  currencyCode: 'EUR',
  priceAmount: null,
  pricePrecision: null,
  tiers: [],
  packageSize: null,
  freeUnits: 0,
  minimumPriceAmount: null,
  ...change,
});
const perUnit = (amount: bigint, change: Partial<PriceTerms> = {}) =>
  terms({ priceAmount: amount, pricePrecision: 2, ...change });

describe('price models', () => {
  test.each<[string, PriceTerms, string, number]>([
    ['flat fee, whatever the quantity', perUnit(4900n, { type: 'flat_fee' }), '7', 4900],
    ['per unit', perUnit(1000n), '3', 3000],
    ['per unit, fraction of a unit', perUnit(1000n), '2.5', 2500],
    ['per unit finer than a cent', perUnit(12n, { pricePrecision: 5 }), '1234', 15],
    ['tiered: 60 units on 10/8/6 with bounds 10 and 50', terms({ type: 'tiered', tiers: steps }), '60', 48000],
    ['volume: 60 units at the reached price', terms({ type: 'volume', tiers: steps }), '60', 36000],
    ['tiered: a bound belongs to its tier', terms({ type: 'tiered', tiers: steps }), '50', 42000],
    ['volume: a bound belongs to its tier', terms({ type: 'volume', tiers: steps }), '50', 40000],
    [
      'tiered: every reached tier adds its flat price',
      terms({ type: 'tiered', tiers: [tier('10', 0, 500), tier(null, 100, 200)] }),
      '12',
      900,
    ],
    [
      'tiered: a tier not reached adds nothing',
      terms({ type: 'tiered', tiers: [tier('10', 0, 500), tier(null, 100, 200)] }),
      '10',
      500,
    ],
    [
      'volume: the reached tier adds its flat price',
      terms({ type: 'volume', tiers: [tier('10', 0, 500), tier(null, 100, 200)] }),
      '12',
      1400,
    ],
    ['stair step', terms({ type: 'stair_step', tiers: [tier('10', 0, 500), tier(null, 0, 900)] }), '11', 900],
    ['package: a started package counts', perUnit(2500n, { type: 'package', packageSize: '100' }), '101', 5000],
    ['package: a full package', perUnit(2500n, { type: 'package', packageSize: '100' }), '100', 2500],
    ['free units come off first', perUnit(1000n, { freeUnits: 5 }), '7', 2000],
    ['fewer than the free units', perUnit(1000n, { freeUnits: 5 }), '3', 0],
    ['minimum price', perUnit(1000n, { minimumPriceAmount: 2500n }), '1', 2500],
    ['above the minimum', perUnit(1000n, { minimumPriceAmount: 2500n }), '3', 3000],
    ['nothing tiered', terms({ type: 'tiered', tiers: steps }), '0', 0],
    ['nothing in a stair step', terms({ type: 'stair_step', tiers: [tier(null, 0, 900)] }), '0', 0],
    ['no decimals in yen', { ...perUnit(100n, { pricePrecision: 0 }), currencyCode: 'JPY' }, '3', 300],
    ['three decimals in dinar', { ...perUnit(1500n, { pricePrecision: 3 }), currencyCode: 'KWD' }, '2', 3000],
  ])('%s', (_name, price, quantity, net) => {
    expect(Number(rateLine(price, quantity).netMinor)).toBe(net);
  });

  it('shows each slice of a tiered price', () => {
    expect(rateLine(terms({ type: 'tiered', tiers: steps }), '60').slices).toEqual([
      { quantity: '10', unitPrice: '10.00', flatPrice: null, amount: '100.00' },
      { quantity: '40', unitPrice: '8.00', flatPrice: null, amount: '320.00' },
      { quantity: '10', unitPrice: '6.00', flatPrice: null, amount: '60.00' },
    ]);
  });

  it('knows what can never cost anything', () => {
    expect(isFree(perUnit(0n))).toBe(true);
    expect(isFree(perUnit(0n, { minimumPriceAmount: 1n }))).toBe(false);
    expect(isFree(terms({ type: 'tiered', tiers: [tier('5', 0), tier(null, 1)] }))).toBe(false);
  });
});

describe('the form of a line', () => {
  test.each<[string, PriceTerms, string, { days: number; of: number }, string, bigint]>([
    ['units × price', perUnit(1000n), '3', { days: 31, of: 31 }, '3', 1000n],
    ['a proration that divides keeps the quantity', perUnit(3100n), '2', { days: 10, of: 31 }, '2', 1000n],
    ['one that does not is once the net', perUnit(1000n), '2', { days: 10, of: 31 }, '1', 645n],
    ['several tiers are once the net', terms({ type: 'tiered', tiers: steps }), '60', { days: 1, of: 1 }, '1', 48000n],
    ['one tier is units × price', terms({ type: 'tiered', tiers: steps }), '4', { days: 1, of: 1 }, '4', 1000n],
    [
      'a minimum price is once the net',
      perUnit(1000n, { minimumPriceAmount: 2500n }),
      '2',
      { days: 1, of: 1 },
      '1',
      2500n,
    ],
  ])('%s', (_name, price, quantity, share, shownQuantity, unitAmount) => {
    const line = rateLine(price, quantity, share);
    expect([line.quantity, line.unitPrice.amount]).toEqual([shownQuantity, unitAmount]);
  });

  it('always multiplies out, whatever is priced', () => {
    const priceArb = fc.record({
      type: fc.constantFrom('flat_fee', 'per_unit', 'tiered', 'volume', 'stair_step', 'package'),
      currencyCode: fc.constantFrom('EUR', 'JPY', 'KWD'),
      amount: fc.integer({ min: 0, max: 10_000_000 }),
      precision: fc.integer({ min: 0, max: 6 }),
      freeUnits: fc.integer({ min: 0, max: 5 }),
      minimum: fc.option(fc.integer({ min: 0, max: 100_000 })),
    });
    fc.assert(
      fc.property(
        priceArb,
        fc.integer({ min: 0, max: 100_000 }),
        fc.integer({ min: 1, max: 31 }),
        (price, milli, days) => {
          const tiered = ['tiered', 'volume', 'stair_step'].includes(price.type);
          const line = rateLine(
            terms({
              type: price.type as PriceTerms['type'],
              currencyCode: price.currencyCode,
              priceAmount: tiered ? null : BigInt(price.amount),
              pricePrecision: price.precision,
              tiers: tiered
                ? [{ ...tier('10', price.amount, 100), unitPricePrecision: price.precision }, tier(null, 700, 50)]
                : [],
              packageSize: '10',
              freeUnits: price.freeUnits,
              minimumPriceAmount: price.minimum === null ? null : BigInt(price.minimum),
            }),
            (milli / 1000).toFixed(3),
            { days, of: 31 },
          );
          expect(toMinor(extend(decimal(line.quantity), line.unitPrice), price.currencyCode, 'half_up')).toBe(
            line.netMinor,
          );
          expect(line.discountMinor >= 0n).toBe(true);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe('discounts', () => {
  const fixed = (amountMinor: bigint) => ({ type: 'fixed_amount' as const, id: 'f', name: 'fixed', amountMinor });
  const percent = (percentage: string) => ({ type: 'percentage' as const, id: 'p', name: 'percent', percentage });

  test.each([
    ['fixed first, then percentages one upon the other', 10_000n, [percent('10'), fixed(1000n), percent('50')], 4050n],
    ['never below zero', 500n, [fixed(1000n)], 0n],
    ['fractions of a percent', 10_000n, [percent('12.5')], 8750n],
  ])('%s', (_name, amount, discounts, left) => {
    expect(roundRatio(applyDiscounts(ratio(amount, 1n), discounts, ratio(0n, 1n)).due)).toBe(left);
  });

  it('come before the minimum price and after the proration', () => {
    const line = rateLine(perUnit(3100n, { minimumPriceAmount: 700n }), '1', { days: 10, of: 31 }, [percent('50')]);
    expect([line.netMinor, line.discountMinor, payable(line)]).toEqual([1000n, 300n, 700n]);
  });

  it('are shown each with what it took off, to the minor unit; a minimum price takes from the last ones', () => {
    const line = (minimumPriceAmount: bigint | null) =>
      rateLine(perUnit(999n, { minimumPriceAmount }), '1', undefined, [percent('33.3'), fixed(100n), percent('50')]);
    const amounts = (minimum: bigint | null) => line(minimum).discounts.map(({ id, amount }) => `${id} ${amount}`);
    expect(amounts(null)).toEqual(['f 100', 'p 299', 'p 300']);
    expect(line(null).discountMinor).toBe(699n);
    expect(amounts(500n)).toEqual(['f 100', 'p 299', 'p 100']);
    expect(line(500n).discountMinor).toBe(499n);
  });
});
