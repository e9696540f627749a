import { describe, expect, it } from '@jest/globals';
import type { Day } from '@kontor/kernel';
import { BASE_RATES, baseRatesWith, missingHalfYear } from './base-rates.js';
import { defaultInterest } from './default-interest.js';

describe('base rates', () => {
  it('are those known here and those that are added, in order', () => {
    expect(baseRatesWith([])).toEqual(BASE_RATES);
    expect(baseRatesWith(['2027-07-01=-0.5', '2027-01-01=1.77']).slice(-2)).toEqual([
      ['2027-01-01', 177],
      ['2027-07-01', -50],
    ]);
  });

  it.each(['1.77', '2027-02-01=1', '2027-01-01=', '2027-01-01=1,77', '2027-01-01=1.777', '2015-01-01=1', 'x'])(
    'refuse %s',
    (text) => expect(() => baseRatesWith([text])).toThrow(RangeError),
  );

  it('refuse a half year that is given twice', () =>
    expect(() => baseRatesWith(['2027-01-01=1.77', '2027-01-01=1.27'])).toThrow(new RangeError('2027-01-01=1.27')));

  it.each([
    ['2026-06-30', null],
    ['2026-12-31', null],
    ['2027-01-01', '2027-01-01'],
    ['2027-06-30', '2027-01-01'],
    ['2027-07-01', '2027-07-01'],
  ])('of %s the missing one is %s', (day, missing) => expect(missingHalfYear(BASE_RATES, day as Day)).toBe(missing));

  it('are each used for the days for which they hold', () => {
    // 1,000 € for ten days at 10.52 % and ten at 12.00 %, divided by 365.
    const days = { from: '2026-12-22' as Day, to: '2027-01-10' as Day, debtor: 'business' } as const;
    expect(defaultInterest(100_000n, days, baseRatesWith(['2027-01-01=3']))).toBe(617n);
    expect(defaultInterest(100_000n, days, baseRatesWith([]))).toBe(576n);
  });
});
