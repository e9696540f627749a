import { describe, expect, it } from '@jest/globals';
import { formatAmount, formatDay, formatIban, formatNumber, formatPercent, formatUnitPrice } from './format.js';

describe('how figures are written', () => {
  it.each([
    [123_456_789, 'EUR', 'de', '1.234.567,89 €'],
    [-5, 'EUR', 'de', '−0,05 €'],
    [123_456_789, 'EUR', 'en', '€1,234,567.89'],
    [-500, 'EUR', 'en', '−€5.00'],
    [1500, 'JPY', 'en', '¥1,500'],
    [1_234_567, 'KWD', 'de', '1.234,567 KWD'],
    [1200, 'CHF', 'en', 'CHF 12.00'],
  ] as const)('%d minor units of %s in %s are %s', (amount, currency, language, expected) =>
    expect(formatAmount(amount, currency, language)).toBe(expected),
  );

  it('a unit price has the decimals that it needs', () => {
    expect(formatUnitPrice({ amount: 12, precision: 5 }, 'EUR', 'de')).toBe('0,00012 €');
    expect(formatUnitPrice({ amount: 4_990_000, precision: 5 }, 'EUR', 'de')).toBe('49,90 €');
  });

  it('quantities, percentages, days and account numbers', () => {
    expect(formatNumber('1234567.50', 'de')).toBe('1.234.567,5');
    expect(formatPercent('19', 'de')).toBe('19 %');
    expect(formatPercent('7.7', 'en')).toBe('7.7%');
    expect(formatDay('2026-02-01', 'de')).toBe('01.02.2026');
    expect(formatDay('2026-02-01', 'en')).toBe('1 Feb 2026');
    expect(formatIban('DE02120300000000202051')).toBe('DE02 1203 0000 0000 2020 51');
  });
});
