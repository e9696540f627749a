import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  allocate,
  decimal,
  divideRounded,
  exponentOf,
  extend,
  formatDecimal,
  formatMajor,
  money,
  multiplyDecimal,
  isExactInMajor,
  parseMajor,
  toMinor,
} from './index.js';

describe('rounding', () => {
  it.each([
    [5n, 2n, 'half_up', 3n],
    [-5n, 2n, 'half_up', -3n],
    [5n, 2n, 'down', 2n],
    [-5n, 2n, 'down', -2n],
    [1n, 3n, 'up', 1n],
    [-1n, 3n, 'up', -1n],
    [7n, -2n, 'half_up', -4n],
    [0n, 9n, 'up', 0n],
  ] as const)('%s / %s %s = %s', (n, d, rounding, expected) => expect(divideRounded(n, d, rounding)).toBe(expected));

  it('never differs from the true quotient by more than half', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }),
        fc.bigInt({ min: 1n, max: 10n ** 9n }),
        (n, d) => {
          const error = n - divideRounded(n, d, 'half_up') * d;
          expect((error < 0n ? -error : error) * 2n <= d).toBe(true);
        },
      ),
    );
  });
});

describe('currencies', () => {
  it.each([
    ['JPY', 0],
    ['EUR', 2],
    ['KWD', 3],
    ['CLF', 4],
  ])('%s has %s decimals', (code, exponent) => expect(exponentOf(code)).toBe(exponent));
  it('refuses unknown codes', () => expect(() => exponentOf('EURO')).toThrow(RangeError));
});

describe('amounts in major units', () => {
  it.each([
    ['119.00', 'EUR', 11900n],
    [119, 'EUR', 11900n],
    [0.1, 'EUR', 10n],
    [1e-7, 'KWD', undefined],
    ['1.001', 'KWD', 1001n],
    ['1.001', 'EUR', undefined],
    ['500', 'JPY', 500n],
    ['500.5', 'JPY', undefined],
    ['1e3', 'EUR', undefined],
    [Number.NaN, 'EUR', undefined],
  ])('%s %s', (value, currency, expected) => expect(parseMajor(value, currency)?.amountMinor).toBe(expected));

  it.each([
    [70_368_744_177_663.99, true],
    [90_071_992_547_409, true],
    // Read as .02.
    [90_071_992_547_409.01, false],
    [-90_071_992_547_408.01, false],
    [90_071_992_547_410, false],
    [0.01, true],
    [-0.29, true],
  ])('%s in a JSON number means one amount: %s', (value, expected) =>
    expect(isExactInMajor(parseMajor(value, 'EUR')!)).toBe(expected),
  );

  it('formats with the decimals of the currency', () => {
    expect(formatMajor(money(-5n, 'EUR'))).toBe('-0.05');
    expect(formatMajor(money(500n, 'JPY'))).toBe('500');
  });

  it('multiplies fine prices exactly and rounds once', () => {
    const price = { amount: 12n, precision: 5, currencyCode: 'EUR' };
    expect(toMinor(extend(decimal('1234567'), price), 'EUR', 'half_up')).toBe(14815n);
    expect(formatDecimal(multiplyDecimal(decimal('0.1'), decimal('0.2')))).toBe('0.02');
  });
});

describe('allocation', () => {
  it('gives the largest remainders the rest', () => expect(allocate(100n, [1n, 1n, 1n])).toEqual([34n, 33n, 33n]));
  it('sums to the total for every sign and weight, and no part is off by a unit or more', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }),
        fc.array(fc.bigInt({ min: 0n, max: 10n ** 6n }), { minLength: 1, maxLength: 20 }),
        (total, weights) => {
          const parts = allocate(total, weights);
          expect(parts.reduce((a, b) => a + b, 0n)).toBe(total);
          const sum = weights.reduce((a, b) => a + b, 0n);
          if (sum > 0n)
            parts.forEach((part, i) =>
              expect(
                part * sum - total * (weights[i] as bigint) < sum && part * sum - total * (weights[i] as bigint) > -sum,
              ).toBe(true),
            );
        },
      ),
    );
  });
});
