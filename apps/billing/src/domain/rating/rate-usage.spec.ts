import { describe, expect, it, test } from '@jest/globals';
import fc from 'fast-check';
import type { GroupPrice, PriceTerms, PriceTier } from './price-terms.js';
import { payable } from './rate-line.js';
import { freeUnitsOf } from '../proration/free-units.js';
import { rateUsage } from './rate-usage.js';

const tier = (upTo: string | null, unit: number, flat = 0, precision = 2): PriceTier => ({
  upTo, unitPriceAmount: String(unit), unitPricePrecision: precision, flatPriceAmount: String(flat),
}); // prettier-ignore

const terms = (fields: Partial<PriceTerms>): PriceTerms => ({
  type: 'per_unit', currencyCode: 'EUR', priceAmount: null, pricePrecision: null, tiers: [], packageSize: null, percentage: null, groupPrices: [], freeUnits: 0,
  minimumPriceAmount: null, ...fields,
}); // prettier-ignore

const group = (region: string, fields: Partial<GroupPrice>): GroupPrice => ({
  group: { region }, priceAmount: null, pricePrecision: null, tiers: [], packageSize: null, percentage: null, freeUnits: 0, ...fields,
}); // prettier-ignore

const used = (regions: Record<string, string>, quantity = '0') => ({
  quantity,
  groups: Object.entries(regions).map(([region, amount]) => ({ group: { region }, quantity: amount })),
});

const steps = [tier('10', 1000), tier('50', 800), tier(null, 600)];
const usSteps = [tier('5', 2000, 100), tier(null, 100, 50)];

describe('usage is priced by its type', () => {
  test.each<[string, PriceTerms, string, number]>([
    ['per unit', terms({ priceAmount: 12n, pricePrecision: 5 }), '1234567.5', 14815], // 148.1481 EUR
    ['tiered', terms({ type: 'tiered', tiers: steps }), '60', 48000],
    ['tiered, on a bound', terms({ type: 'tiered', tiers: usSteps }), '5', 10100],
    ['tiered, just above it', terms({ type: 'tiered', tiers: usSteps }), '5.5', 10200], // 100 + 1 + 0.50 + 0.50
    ['volume', terms({ type: 'volume', tiers: steps }), '60', 36000],
    ['stair step', terms({ type: 'stair_step', tiers: [tier('1000', 0, 900), tier(null, 0, 2900)] }), '1000.001', 2900],
    ['package', terms({ type: 'package', priceAmount: 250n, packageSize: '1000' }), '2000.0001', 750],
    ['percentage of money', terms({ type: 'percentage', percentage: '2.5' }), '1234.56', 3086], // 30.864
    ['percentage: half a cent goes away from zero', terms({ type: 'percentage', percentage: '0.5' }), '1', 1],
    ['percentage of what is not free', terms({ type: 'percentage', percentage: '10', freeUnits: 100 }), '150', 500],
    ['nothing used', terms({ type: 'tiered', tiers: usSteps }), '0', 0],
    ['less than nothing', terms({ priceAmount: 100n, pricePrecision: 2 }), '-5', 0],
    ['a minimum', terms({ priceAmount: 100n, pricePrecision: 2, minimumPriceAmount: 2500n }), '3', 2500],
    ['a minimum for nothing', terms({ type: 'tiered', tiers: usSteps, minimumPriceAmount: 2500n }), '0', 2500],
    ['rounded once', terms({ priceAmount: 1n, pricePrecision: 3, freeUnits: 1 }), '15.999', 1], // 14.999 × 0.001
    ['yen', terms({ type: 'percentage', percentage: '1.5', currencyCode: 'JPY' }), '1000', 15],
    ['dinar', terms({ type: 'percentage', percentage: '1.5', currencyCode: 'KWD' }), '1.1', 17], // 0.0165
  ])('%s', (_name, price, quantity, net) => {
    expect(Number(rateUsage(price, used({}, quantity)).netMinor)).toBe(net);
  });

  it('keeps every digit: 10^15 units with twenty decimals at a fine price', () => {
    const price = terms({ priceAmount: 1n, pricePrecision: 12 });
    expect(rateUsage(price, used({}, '1000000000000000.49999999999999999999')).netMinor).toBe(100_000n);
    expect(rateUsage(price, used({}, '5000000000.00000000000000000000')).netMinor).toBe(1n);
    expect(rateUsage(price, used({}, '4999999999.999999999999999999999999999999')).netMinor).toBe(0n);
  });
});

describe('groups have prices of their own', () => {
  // us: its own price; eu and asia: the plan's, added up.
  const regions = used({ asia: '20', eu: '40', us: '8' });
  test.each<[string, PriceTerms, number]>([
    ['per unit', terms({ priceAmount: 10n, pricePrecision: 2,
      groupPrices: [group('us', { priceAmount: '25', pricePrecision: 3 })] }), 620], // 60 × 0.10 + 8 × 0.025
    ['tiered', terms({ type: 'tiered', tiers: steps,
      groupPrices: [group('us', { tiers: usSteps })] }), 48000 + 10000 + 100 + 300 + 50],
    ['volume', terms({ type: 'volume', tiers: steps,
      groupPrices: [group('us', { tiers: usSteps })] }), 36000 + 800 + 50],
    ['stair step', terms({ type: 'stair_step', tiers: [tier('60', 0, 900), tier(null, 0, 2900)],
      groupPrices: [group('us', { tiers: [tier(null, 0, 77)] })] }), 977],
    ['package', terms({ type: 'package', priceAmount: 250n, packageSize: '50',
      groupPrices: [group('us', { priceAmount: '99', pricePrecision: 2, packageSize: '3' })] }), 500 + 297],
    ['percentage', terms({ type: 'percentage', percentage: '10',
      groupPrices: [group('us', { percentage: '25' })] }), 600 + 200],
    ['free units each', terms({ priceAmount: 10n, pricePrecision: 2, freeUnits: 50,
      groupPrices: [group('us', { priceAmount: '100', pricePrecision: 2, freeUnits: 7 })] }), 100 + 100],
    ['one minimum for all', terms({ priceAmount: 10n, pricePrecision: 2, minimumPriceAmount: 700n,
      groupPrices: [group('us', { priceAmount: '1', pricePrecision: 2 })] }), 700],
    ['one rounding for all', terms({ priceAmount: 4n, pricePrecision: 5,
      groupPrices: [group('us', { priceAmount: '325', pricePrecision: 6 })] }), 1], // 0.0024 + 0.0026
  ])('%s', (_name, price, net) => {
    expect(Number(rateUsage(price, regions).netMinor)).toBe(net);
  }); // prettier-ignore

  it('slices name their group; the rest names none', () => {
    const price = terms({
      priceAmount: 10n,
      pricePrecision: 2,
      groupPrices: [group('us', { priceAmount: '25', pricePrecision: 2 })],
    });
    expect(rateUsage(price, regions).slices).toEqual([
      { quantity: '8', unitPrice: '0.25', flatPrice: null, amount: '2.00', group: { region: 'us' } },
      { quantity: '60', unitPrice: '0.10', flatPrice: null, amount: '6.00' },
    ]);
  });

  it('one group alone is quantity × price', () => {
    const price = terms({
      priceAmount: 10n,
      pricePrecision: 2,
      groupPrices: [group('us', { priceAmount: '25', pricePrecision: 2 })],
    });
    expect(rateUsage(price, used({ us: '8' }))).toMatchObject({
      quantity: '8',
      unitPrice: { amount: 25n },
      netMinor: 200n,
    });
  });
});

describe('a part of an interval', () => {
  const share = { days: 10, of: 31 };

  it('has its share of free units, as whole units, and of the minimum; the quantity is what it is', () => {
    expect([
      freeUnitsOf(100, share),
      freeUnitsOf(0, share),
      freeUnitsOf(31, share),
      freeUnitsOf(1_000_000_000, share),
    ]).toEqual([33, 0, 10, 322580646]);
    const price = terms({ priceAmount: 100n, pricePrecision: 2, freeUnits: 100, minimumPriceAmount: 3100n });
    expect(rateUsage(price, used({}, '50'), share).netMinor).toBe(1700n);
    expect(rateUsage(price, used({}, '40'), share).netMinor).toBe(1000n);
  });

  it('a minimum that does not divide is rounded with the line', () => {
    expect(
      rateUsage(terms({ priceAmount: 1n, pricePrecision: 2, minimumPriceAmount: 100n }), used({}, '0'), share).netMinor,
    ).toBe(32n);
  });

  it('discounts come before the minimum', () => {
    const price = terms({ priceAmount: 100n, pricePrecision: 2, minimumPriceAmount: 600n });
    const line = rateUsage(price, used({}, '10'), undefined, [
      { type: 'percentage', id: 'half', name: 'half', percentage: '50' },
    ]);
    expect([line.netMinor, line.discountMinor, payable(line), line.minimumApplied]).toEqual([1000n, 400n, 600n, true]);
  });
});

it('without groups of its own, how usage is divided changes nothing', () => {
  const amounts = fc.array(fc.integer({ min: 0, max: 1_000_000_000 }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(amounts, fc.integer({ min: 0, max: 6 }), (parts, scale) => {
      const text = (value: bigint) =>
        `${value / 10n ** BigInt(scale)}.${String(value % 10n ** BigInt(scale)).padStart(scale, '0')}`.replace(
          /\.0?$/,
          '',
        );
      const price = terms({ type: 'tiered', tiers: steps, freeUnits: 3 });
      const total = parts.reduce((sum, part) => sum + BigInt(part), 0n);
      const split = used(Object.fromEntries(parts.map((part, n) => [`r${n}`, text(BigInt(part))])), text(total));
      const other = { ...price, groupPrices: [group('elsewhere', { tiers: [tier(null, 1)] })] };
      expect(rateUsage(other, split).netMinor).toBe(rateUsage(price, split).netMinor);
    }),
  );
});
