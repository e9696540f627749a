import { describe, expect, it } from '@jest/globals';
import { formatDecimal } from '@kontor/money';
import type { MetricDefinition, MetricFilter } from './metric.js';
import { readNumber } from './read-number.js';
import { isPropertyPath, propertyReader } from './read-property.js';
import { groupOf, projectGroup, sampler } from './sample-event.js';

const sum: MetricDefinition = {
  eventName: 'call',
  aggregationType: 'sum',
  property: 'bytes',
  percentile: null,
  filters: [],
  groupBy: [],
  rounding: null,
};
const event = (properties: Record<string, unknown>, eventName = 'call') => ({
  id: 'e',
  eventName,
  customerId: 'c',
  occurredAt: new Date(5),
  properties,
});
const text = (value: unknown): string | undefined => {
  const number = readNumber(value);
  return number && formatDecimal(number);
};

describe('a number in an event', () => {
  it.each<[unknown, string | undefined]>([
    [0.1, '0.1'], [1e21, '1000000000000000000000'], [1.5e-7, '0.00000015'], [-7, '-7'], [-0, '0'],
    ['12.50', '12.5'], [' 3 ', '3'], ['+4', '4'], ['1e3', '1000'],
    ['-2.5E-2', '-0.025'], ['9'.repeat(30), '9'.repeat(30)], ['9'.repeat(31), undefined],
    ['1e30', undefined], ['1e-40', `0.${'0'.repeat(39)}1`], ['1e-41', undefined],
    ['1e999', undefined], ['0e999', '0'], [NaN, undefined], [Infinity, undefined],
    ['NaN', undefined], ['Infinity', undefined], ['0x10', undefined], ['1,5', undefined],
    ['1.', undefined], ['.5', undefined], ['', undefined], ['١٢', undefined],
    [true, undefined], [null, undefined], [[5], undefined], [{}, undefined], ['9'.repeat(1_000_000), undefined],
  ])('%j is read exactly or not at all', (value, expected) => expect(text(value)).toBe(expected)); // prettier-ignore
});

describe('a property path', () => {
  it.each(['bytes', 'usage.tokens', 'größe', 'a-b_c.$d', 'http.status'])('%s is one', (path) =>
    expect(isPropertyPath(path)).toBe(true),
  );
  it.each([
    '',
    '.',
    'a.',
    '.a',
    'a..b',
    "a'b",
    'a b',
    'a[0]',
    'a->b',
    '__proto__',
    '$.bytes',
    'a.constructor',
    'a\u0000',
    'a.'.repeat(9) + 'a',
    'x'.repeat(256),
    null,
    7,
  ])('%j is none', (path) => expect(isPropertyPath(path)).toBe(false));

  it('finds own properties only, the flat name before the nested', () => {
    expect(propertyReader('a.b')({ a: { b: 1 } })).toBe(1);
    expect(propertyReader('a.b')({ a: { b: 1 }, 'a.b': 2 })).toBe(2);
    expect(propertyReader('toString')({})).toBeUndefined();
    expect(propertyReader('a.length')({ a: [1, 2] })).toBeUndefined();
    expect(propertyReader('a.b')({ a: null })).toBeUndefined();
  });
});

describe('an event counts', () => {
  const counts = (filter: MetricFilter, properties: Record<string, unknown>): boolean =>
    sampler({ ...sum, aggregationType: 'count', property: null, filters: [filter] })(event(properties)) !== undefined;

  it.each<[MetricFilter['operator'], MetricFilter['value'], unknown, boolean]>([
    ['eq', 'eu', 'eu', true], ['eq', 'eu', 'EU', false], ['eq', 5, 5, true], ['eq', 5, '5.0', true], ['eq', '5', 5, true], ['eq', '007', 7, false],
    ['eq', true, true, true], ['eq', true, 'true', true], ['eq', 'eu', undefined, false], ['eq', 'x', ['x'], false],
    ['neq', 'eu', 'us', true], ['neq', 'eu', 'eu', false], ['neq', 'eu', undefined, true],
    ['in', ['a', 1], 'a', true], ['in', ['a', 1], '1', true], ['in', ['a', 1], 'b', false],
    ['not_in', ['a'], 'b', true], ['not_in', ['a'], undefined, true], ['not_in', ['a'], 'a', false],
    ['gt', 5, 5, false], ['gt', 5, 5.1, true], ['gt', '5', '6', true], ['gt', 5, 'many', false],
    ['gt', 5, undefined, false], ['lt', 5, 4, true], ['lt', 5, 5, false],
    ['exists', true, 0, true], ['exists', true, null, false], ['exists', null, 'x', true], ['exists', false, undefined, true], ['exists', false, 'x', false],
  ])('with %s %j and %j: %j', (operator, value, found, expected) =>
    expect(counts({ property: 'p', operator, value }, found === undefined ? {} : { p: found })).toBe(expected)); // prettier-ignore

  it('only with its metric’s name, and with a number where one is added up', () => {
    expect(sampler(sum)(event({ bytes: 1 }, 'other'))).toBeUndefined();
    expect(sampler(sum)(event({ bytes: 'x' }))).toBeUndefined();
    expect(sampler(sum)(event({ bytes: '1.5' }))).toEqual({
      // No sum asks for the order of its events.
      id: '',
      customerId: 'c',
      at: 5,
      group: '[]',
      number: { coefficient: 15n, scale: 1 },
      text: null,
    });
    expect(sampler({ ...sum, aggregationType: 'count_unique' })(event({ bytes: 7 }))?.text).toBe('7');
    expect(sampler({ ...sum, aggregationType: 'count_unique' })(event({ bytes: {} }))).toBeUndefined();
    expect(sampler({ ...sum, aggregationType: 'count' })(event({ bytes: null }))).toBeUndefined();
  });

  it('in the group of its values; what is missing or no value is the empty group', () => {
    const grouped = sampler({ ...sum, groupBy: ['r', 's'] });
    expect(grouped(event({ bytes: 1, r: 'eu', s: 200 }))?.group).toBe('["eu","200"]');
    expect(grouped(event({ bytes: 1, s: [1] }))?.group).toBe('["",""]');
    expect(grouped(event({ bytes: 1, r: '😀'.repeat(200) }))!.group).toBe(JSON.stringify(['😀'.repeat(127), '']));
    expect(groupOf('["eu","200"]', ['r', 's'])).toEqual({ r: 'eu', s: '200' });
    expect([projectGroup('["eu","200"]', ['r', 's'], ['s']), projectGroup('["eu","200"]', ['r', 's'], [])]).toEqual([
      '["200"]',
      '[]',
    ]);
  });
});
