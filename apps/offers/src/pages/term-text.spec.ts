import { expect, it } from '@jest/globals';
import type { SaleTerm } from '@kontor/contracts';
import { CART_TEXTS } from './cart-texts.js';
import { priceTable } from './price-table.js';
import { termText } from './term-text.js';

const term = (
  contractPeriodCount: number,
  contractPeriod: string | null,
  cancellationPeriod: string | null,
): SaleTerm => ({
  contractPeriodCount,
  contractPeriod,
  cancellationPeriod,
});

it.each([
  [
    term(2, '12M', '3M'),
    'Mindestlaufzeit: 24 Monate. Danach verlängert sich der Vertrag um jeweils 12 Monate. Kündigungsfrist: 3 Monate zum Ende der Laufzeit.',
    'Minimum term: 24 months. It is then renewed for 12 months at a time. Notice period: 3 months before the end of the term.',
  ],
  [
    term(1, '1Y', null),
    'Mindestlaufzeit: 1 Jahr. Danach verlängert sich der Vertrag um jeweils 1 Jahr. Kündbar zum Ende der Laufzeit.',
    'Minimum term: 1 year. It is then renewed for 1 year at a time. It can be cancelled until the end of the term.',
  ],
  [
    term(1, null, '14D'),
    'Kündigungsfrist: 14 Tage zum Ende des Abrechnungszeitraums.',
    'Notice period: 14 days before the end of the billing period.',
  ],
  [null, null, null],
])('says how long a contract binds (%j)', (agreed, de, en) => {
  expect([termText(agreed, 'de'), termText(agreed, 'en')]).toEqual([de, en]);
});

it('what is billed by use is below the price on pages', () => {
  const measured = [{ name: 'Telefonie', interval: '1M', price: '0,25 EUR je Anruf' }];
  const table = { lines: [], totals: null, recurring: [], measured, term: null };
  expect(String(priceTable(table, CART_TEXTS.de, 'de'))).toContain(
    'Telefonie, nach Verbrauch monatlich (netto): 0,25 EUR je Anruf',
  );
});

it('is below the price on pages', () => {
  const table = { lines: [], totals: null, recurring: [], measured: [], term: term(1, '12M', '1M') };
  expect(String(priceTable(table, CART_TEXTS.de, 'de'))).toContain('Mindestlaufzeit: 12 Monate.');
  expect(String(priceTable({ ...table, term: null }, CART_TEXTS.de, 'de'))).not.toContain('class="hint"');
});
