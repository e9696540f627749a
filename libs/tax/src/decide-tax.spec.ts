import { describe, expect, it, test } from '@jest/globals';
import { decideTax, type TaxedItem, type TaxGroup, type TaxParties } from './decide-tax.js';
import { LEGAL_NOTES, legalNoteText } from './legal-note.js';
import { euVatRates } from './vat-rates.js';

const group = (
  type: TaxGroup['type'],
  reverseChargeType: TaxGroup['reverseChargeType'] = 'REVERSE_CHARGE',
): TaxGroup => ({
  id: type,
  type,
  reverseChargeType,
  taxes:
    type === 'standard' || type === 'reduced'
      ? euVatRates()
          .filter((r) => r.kind === type)
          .map((r) => ({ id: `${r.countryCode}-${r.validFrom}`, code: 'VAT', description: null, ...r }))
      : [],
});

const parties = (change: Partial<TaxParties> = {}): TaxParties => ({
  sellerCountryCode: 'DE',
  smallBusiness: false,
  oss: true,
  placeCountryCode: 'DE',
  recipientVatIdValid: false,
  ...change,
});
const item = (change: Partial<TaxedItem> = {}): TaxedItem => ({
  group: group('standard'),
  isGood: false,
  suppliedOn: '2026-03-31',
  ...change,
});

describe('tax decision', () => {
  test.each<[string, Partial<TaxParties>, Partial<TaxedItem>, string, string, string | null]>([
    ['domestic consumer', {}, {}, 'S', '19', null],
    ['domestic business with a valid VAT id', { recipientVatIdValid: true }, {}, 'S', '19', null],
    ['domestic, reduced', {}, { group: group('reduced') }, 'S', '7', null],
    ['domestic, supplied in the second half of 2020', {}, { suppliedOn: '2020-12-31' }, 'S', '16', null],
    ['domestic, zero', {}, { group: group('zero') }, 'Z', '0', null],
    ['domestic, exempt', {}, { group: group('exempt') }, 'E', '0', 'exempt'],
    ['EU business, services', { placeCountryCode: 'AT', recipientVatIdValid: true }, {}, 'AE', '0', 'reverse_charge'],
    [
      'EU business, goods',
      { placeCountryCode: 'AT', recipientVatIdValid: true },
      { group: group('standard', 'REVERSE_CHARGE_INTRA_EU_SUPPLY'), isGood: true },
      'K',
      '0',
      'intra_community_supply',
    ],
    [
      'EU business, reverse charge deactivated: taxed at home',
      { placeCountryCode: 'AT', recipientVatIdValid: true },
      { group: group('standard', 'REVERSE_CHARGE_DEACTIVATED') },
      'S',
      '19',
      null,
    ],
    ['EU consumer with oss', { placeCountryCode: 'AT' }, {}, 'S', '20', null],
    ['EU consumer with oss, changed rate', { placeCountryCode: 'EE' }, { suppliedOn: '2025-06-30' }, 'S', '22', null],
    ['Greek consumer under either code', { placeCountryCode: 'EL' }, {}, 'S', '24', null],
    ['EU consumer without oss', { placeCountryCode: 'AT', oss: false }, {}, 'S', '19', null],
    [
      'EU business, exempt',
      { placeCountryCode: 'AT', recipientVatIdValid: true },
      { group: group('exempt') },
      'E',
      '0',
      'exempt',
    ],
    ['third country, services', { placeCountryCode: 'CH' }, {}, 'O', '0', 'outside_scope'],
    ['third country, goods', { placeCountryCode: 'US' }, { isGood: true }, 'G', '0', 'export_of_goods'],
    ['small business at home', { smallBusiness: true }, {}, 'E', '0', 'small_business'],
    ['small business abroad', { smallBusiness: true, placeCountryCode: 'CH' }, {}, 'E', '0', 'small_business'],
  ])('%s', (_name, p, i, category, rate, note) => {
    const decision = decideTax(parties(p), item(i));
    expect([decision.category, decision.rate, decision.noteKey]).toEqual([category, rate, note]);
    expect(decision.tax === null).toBe(category !== 'S');
  });

  it('charges the rate of a third country in which the seller is registered, from its day on', () => {
    const swiss = { id: 'ch', code: 'CH', rate: '8.1', description: null, countryCode: 'CH', validFrom: '2024-01-01' };
    const registered = { ...group('standard'), taxes: [...group('standard').taxes, swiss] };
    const inSwitzerland = parties({ placeCountryCode: 'CH' });
    for (const isGood of [false, true])
      expect(decideTax(inSwitzerland, item({ group: registered, isGood }))).toMatchObject({
        category: 'S',
        rate: '8.1',
        tax: swiss,
      });
    expect(decideTax(inSwitzerland, item({ group: registered, suppliedOn: '2023-12-31' })).category).toBe('O');
    expect(decideTax(parties({ placeCountryCode: 'US' }), item({ group: registered })).category).toBe('O');
  });

  it('refuses when the group has no rate for the country', () => {
    const bare = { ...group('standard'), taxes: [] };
    expect(() => decideTax(parties(), item({ group: bare }))).toThrow(
      expect.objectContaining({ reason: 'tax_rate_missing' }),
    );
  });

  it('has every legal note in both languages', () => {
    for (const key of Object.keys(LEGAL_NOTES) as (keyof typeof LEGAL_NOTES)[]) {
      expect(legalNoteText(key, 'de')).not.toBe(legalNoteText(key, 'en'));
    }
    expect(legalNoteText('reverse_charge', 'de')).toContain('Steuerschuldnerschaft des Leistungsempfängers');
    expect(legalNoteText('small_business', 'de')).toContain('§ 19 UStG');
  });
});
