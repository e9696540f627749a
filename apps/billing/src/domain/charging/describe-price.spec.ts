import { describe, expect, it } from '@jest/globals';
import type { PriceTerms, PriceTier } from '../rating/price-terms.js';
import { describePrice } from './describe-price.js';

const plain: PriceTerms = {
  type: 'per_unit',
  currencyCode: 'EUR',
  priceAmount: 25n,
  pricePrecision: 2,
  tiers: [],
  packageSize: null,
  freeUnits: 0,
  minimumPriceAmount: null,
};
const tier = (upTo: string | null, unit: string, flat = '0'): PriceTier => ({
  upTo,
  unitPriceAmount: unit,
  unitPricePrecision: 3,
  flatPriceAmount: flat,
});
const tiers = [tier('100', '100'), tier('1000.5', '85', '500'), tier(null, '0')];
const group = { priceAmount: '30', pricePrecision: 2, tiers: [], packageSize: null, percentage: null, freeUnits: 0 };

describe('the price of what is measured is named', () => {
  it.each<[Partial<PriceTerms>, string, string]>([
    [{}, '0,25 EUR je Anruf', '0.25 EUR per Anruf'],
    [
      { freeUnits: 100, minimumPriceAmount: 500n },
      '0,25 EUR je Anruf; 100 frei; mindestens 5,00 EUR',
      '0.25 EUR per Anruf; 100 free; at least 5.00 EUR',
    ],
    [{ priceAmount: 1n, pricePrecision: 5 }, '0,00001 EUR je Anruf', '0.00001 EUR per Anruf'],
    [{ currencyCode: 'JPY', priceAmount: 25n, pricePrecision: 0 }, '25 JPY je Anruf', '25 JPY per Anruf'],
    [
      { type: 'package', packageSize: '1000' },
      '0,25 EUR je angefangene 1000 Anruf',
      '0.25 EUR per 1000 Anruf or part of it',
    ],
    [
      { type: 'percentage', priceAmount: null, percentage: '2.5' },
      '2,5 % des gemessenen Betrags',
      '2.5 % of the measured amount',
    ],
    [
      { type: 'tiered', priceAmount: null, tiers },
      'gestaffelt je Anruf: bis 100: 0,10 EUR, bis 1000,5: 0,085 EUR + 5,00 EUR pauschal, darüber: 0,00 EUR',
      'in tiers per Anruf: up to 100: 0.10 EUR, up to 1000.5: 0.085 EUR + 5.00 EUR flat, beyond: 0.00 EUR',
    ],
    [
      { type: 'volume', priceAmount: null, tiers: tiers.slice(2) },
      'je Anruf, nach der ganzen Menge: darüber: 0,00 EUR',
      'per Anruf, by the whole amount: beyond: 0.00 EUR',
    ],
    [
      { type: 'stair_step', priceAmount: null, tiers: [tier('10', '0', '500'), tier(null, '0', '900')] },
      'pauschal nach der Menge: bis 10: 5,00 EUR, darüber: 9,00 EUR',
      'flat, by amount: up to 10: 5.00 EUR, beyond: 9.00 EUR',
    ],
    [
      { groupPrices: [{ ...group, group: { region: 'EU', tier: '' } }] },
      '0,25 EUR je Anruf; EU/–: 0,30 EUR je Anruf',
      '0.25 EUR per Anruf; EU/–: 0.30 EUR per Anruf',
    ],
  ])('%j', (more, german, english) => {
    expect(describePrice({ ...plain, ...more }, 'Anruf', 'de')).toBe(german);
    expect(describePrice({ ...plain, ...more }, 'Anruf', 'en')).toBe(english);
  });

  it('without the name of its unit', () => {
    expect(describePrice(plain, null, 'de')).toBe('0,25 EUR je Einheit');
    expect(describePrice(plain, null, 'fr')).toBe('0.25 EUR per unit');
  });
});
