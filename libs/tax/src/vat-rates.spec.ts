import { describe, expect, it, test } from '@jest/globals';
import { decimal } from '@kontor/money';
import { EU_COUNTRIES, euVatRateOn, euVatRates, isEuCountry } from './vat-rates.js';

/** European Commission, TEDB, standard rates as of September 2026. */
const STANDARD_2026 =
  'AT 20, BE 21, BG 20, CY 19, CZ 21, DE 19, DK 25, EE 24, ES 21, FI 25.5, FR 20, GR 24, HR 25, HU 27, ' +
  'IE 23, IT 22, LT 21, LU 17, LV 21, MT 18, NL 21, PL 23, PT 23, RO 21, SE 25, SI 22, SK 23';

describe('EU VAT rates', () => {
  it('knows the standard rate of every member state', () => {
    const known = EU_COUNTRIES.map((country) => `${country} ${euVatRateOn(country, 'standard', '2026-09-01')}`);
    expect(known.join(', ')).toBe(STANDARD_2026);
  });

  test.each([
    ['DE', 'standard', '2020-06-30', '19'],
    ['DE', 'standard', '2020-07-01', '16'],
    ['DE', 'standard', '2020-12-31', '16'],
    ['DE', 'standard', '2021-01-01', '19'],
    ['DE', 'reduced', '2020-12-31', '5'],
    ['DE', 'reduced', '2021-01-01', '7'],
    ['EE', 'standard', '2023-12-31', '20'],
    ['EE', 'standard', '2024-01-01', '22'],
    ['EE', 'standard', '2025-07-01', '24'],
    ['SK', 'standard', '2024-12-31', '20'],
    ['SK', 'standard', '2025-01-01', '23'],
    ['FI', 'standard', '2024-08-31', '24'],
    ['FI', 'standard', '2024-09-01', '25.5'],
    ['FI', 'reduced', '2026-01-01', '13.5'],
    ['RO', 'standard', '2025-08-01', '21'],
    ['LU', 'standard', '2023-06-15', '16'],
    ['IE', 'standard', '2021-02-28', '21'],
    ['CZ', 'reduced', '2024-01-01', '12'],
    ['LT', 'reduced', '2026-01-01', '12'],
    ['EL', 'standard', '2026-01-01', '24'],
  ] as const)('%s %s on %s is %s', (country, kind, day, rate) => {
    expect(euVatRateOn(country, kind, day)).toBe(rate);
  });

  it('lists each country and kind oldest first, with parseable rates and no day twice', () => {
    const rates = euVatRates();
    expect(new Set(rates.map((r) => r.countryCode)).size).toBe(27);
    for (const country of EU_COUNTRIES) {
      for (const kind of ['standard', 'reduced'] as const) {
        const days = rates.filter((r) => r.countryCode === country && r.kind === kind).map((r) => r.validFrom);
        expect(days.length).toBeGreaterThan(0);
        expect(days).toEqual([...new Set(days)].sort());
      }
    }
    for (const rate of rates) expect(() => decimal(rate.rate)).not.toThrow();
  });

  it('has no rate outside the Union', () => {
    expect(euVatRateOn('CH', 'standard', '2026-01-01')).toBeUndefined();
    expect(isEuCountry('GB')).toBe(false);
  });
});
