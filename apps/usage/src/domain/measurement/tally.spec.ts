import { describe, expect, it } from '@jest/globals';
import { decimal, formatDecimal } from '@kontor/money';
import fc from 'fast-check';
import type { AggregationType, MetricRounding } from '../metrics/metric.js';
import { Tally } from './tally.js';

const rules = (aggregationType: AggregationType, rounding: MetricRounding | null = null, percentile = '90') => ({
  aggregationType,
  percentile,
  rounding,
});
function tally(type: AggregationType, values: readonly string[]): Tally {
  const found = new Tally();
  values.forEach((value, at) =>
    found.add(rules(type), { id: `${at}`, customerId: 'c', at, group: '[]', number: decimal(value), text: value }),
  );
  return found;
}
const value = (
  type: AggregationType,
  values: readonly string[],
  rounding: MetricRounding | null = null,
  percentile?: string,
): string => formatDecimal(tally(type, values).value(rules(type, rounding, percentile), 1000));

describe('a metric’s value', () => {
  it.each<[AggregationType, string[], string]>([
    ['count', ['1', '1'], '2'], ['sum', ['0.1', '0.2'], '0.3'],
    ['sum', ['999999999999999999', '0.000000000000000001'], '999999999999999999.000000000000000001'],
    ['min', ['3', '-1', '2'], '-1'], ['max', ['-3', '-1'], '-1'], ['last_value', ['5', '7', '6'], '6'], ['average', ['1', '1', '2'], '1.333333333333'],
    ['average', ['-1', '-1', '-3'], '-1.666666666667'], ['count_unique', ['a', 'b', 'a'].map((_, i) => `${i % 2}`), '2'],
  ])('%s of %j is %s', (type, values, expected) => expect(value(type, values)).toBe(expected)); // prettier-ignore

  it.each<[string, number, string]>([
    ['1', 10, '1'], ['50', 10, '5'], ['50', 11, '6'], ['90', 10, '9'], ['90.1', 10, '10'], ['99.999999', 10, '10'], ['100', 10, '10'],
    ['95', 1, '1'], ['0.000001', 10, '1'],
  ])('percentile %s of 1 to %d is %s: nearest rank', (percentile, n, expected) =>
    expect(value('percentile', Array.from({ length: n }, (_, i) => String(n - i)), null, percentile)).toBe(expected)); // prettier-ignore

  it.each([
    'count',
    'count_unique',
    'sum',
    'max',
    'min',
    'last_value',
    'average',
    'percentile',
    'weighted_sum',
  ] as const)('of %s without usage is 0', (type) => expect(value(type, [])).toBe('0'));

  it('is rounded once, from the exact quotient', () => {
    expect(value('average', ['1', '1', '2'], { mode: 'up', scale: 2 })).toBe('1.34');
    expect(value('average', ['1', '1', '2'], { mode: 'down', scale: 0 })).toBe('1');
    expect(value('sum', ['0.5'], { mode: 'half_up', scale: 0 })).toBe('1');
    expect(value('sum', ['-0.5'], { mode: 'half_up', scale: 0 })).toBe('-1');
    expect(value('sum', ['-1.01'], { mode: 'up', scale: 0 })).toBe('-2');
    // 0.4949… must not become 0.5 and then 1.
    expect(value('average', ['49', ...(Array(98).fill('0.5') as string[])], { mode: 'half_up', scale: 0 })).toBe('1');
  });

  it('is the same however a period is parted', () => {
    const types = ['count', 'count_unique', 'sum', 'max', 'min', 'average', 'percentile'] as const;
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -50, max: 50 }), { maxLength: 30 }),
        fc.nat(30),
        fc.constantFrom(...types),
        (numbers, cut, type) => {
          const values = numbers.map(String);
          const parts = tally(type, values.slice(0, cut)).merge(tally(type, values.slice(cut)));
          expect(parts.value(rules(type), 1)).toEqual(tally(type, values).value(rules(type), 1));
        },
      ),
    );
  });
});
