import { describe, expect, it, test } from '@jest/globals';
import { convertMinor, crossRate, type EuroRate, rateText } from './exchange.js';
import { parseEcbRates } from './parse-ecb-rates.js';

const rates: EuroRate[] = [
  { currencyCode: 'USD', date: '2026-02-20', rate: '1.1000' },
  { currencyCode: 'USD', date: '2026-02-27', rate: '1.0800' },
  { currencyCode: 'JPY', date: '2026-02-26', rate: '160' },
  { currencyCode: 'KWD', date: '2026-02-27', rate: '0.332' },
];
const rate = (from: string, to: string, day = '2026-02-28', live = true) => crossRate(rates, { from, to }, day, live);

describe('exchange rates', () => {
  test.each([
    ['USD', 'EUR', 10800n, 10000n],
    ['EUR', 'USD', 10000n, 10800n],
    ['USD', 'JPY', 10800n, 16000n],
    ['JPY', 'EUR', 160n, 100n],
    ['EUR', 'KWD', 10000n, 33200n],
    ['USD', 'EUR', -54n, -50n],
  ])('%s to %s: %s becomes %s', (from, to, amount, expected) => {
    expect(convertMinor(amount, rate(from, to)!)).toBe(expected);
  });

  it('uses the latest before the day of the document, crossed through the euro, dated by the older one', () => {
    expect(rateText(rate('EUR', 'USD', '2026-02-27')!)).toBe('1.1');
    expect(rateText(rate('EUR', 'USD', '2026-02-28')!)).toBe('1.08');
    expect(rate('USD', 'JPY')?.date).toBe('2026-02-26');
  });

  it('takes a live rate for seven days, a sandbox one for ever, and none of the day itself', () => {
    expect(rate('USD', 'EUR', '2026-03-06')).toBeDefined();
    expect(rate('USD', 'EUR', '2026-03-07')).toBeUndefined();
    expect(rate('USD', 'EUR', '2036-03-07', false)).toBeDefined();
    expect(rate('USD', 'EUR', '2026-02-20', false)).toBeUndefined();
    expect(rate('CHF', 'EUR')).toBeUndefined();
  });

  it("reads the central bank's file and leaves out what is no rate", () => {
    const xml = `<gesmes:Envelope><Cube><Cube time='2026-02-27'><Cube currency='USD' rate='1.0812'/>
      <Cube currency="JPY" rate="160.05"/><Cube currency='XX1' rate='1'/>
      <Cube currency='CHF' rate='0'/></Cube><Cube time='2026-02-26'><Cube currency='USD' rate='1.08'/></Cube></Cube></gesmes:Envelope>`;
    expect(parseEcbRates(xml)).toEqual([
      { currencyCode: 'USD', date: '2026-02-27', rate: '1.0812' },
      { currencyCode: 'JPY', date: '2026-02-27', rate: '160.05' },
      { currencyCode: 'USD', date: '2026-02-26', rate: '1.08' },
    ]);
    expect(parseEcbRates('<html>not today</html>')).toEqual([]);
  });
});
