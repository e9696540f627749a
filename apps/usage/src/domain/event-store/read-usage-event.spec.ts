import { describe, expect, it } from '@jest/globals';
import { instantOf } from './instants.js';
import { aheadError, isItemError, readUsageEvent } from './read-usage-event.js';

const now = new Date('2026-02-01T12:00:00.000Z');
const event = {
  transactionId: 't1',
  eventName: 'api_call',
  timestamp: '2026-02-01T11:00:00+01:00',
  customerId: 'K-1',
  properties: { bytes: 5 },
};
const codeOf = (item: unknown): string => {
  const result = readUsageEvent(item, 3);
  if (isItemError(result)) return result.code;
  return aheadError(result, now.getTime())?.code ?? 'taken';
};

describe('one item of a usage request', () => {
  it('is read with its time as UTC', () => {
    expect(readUsageEvent(event, 3)).toEqual({
      index: 3,
      transactionId: 't1',
      eventName: 'api_call',
      occurredAtMs: Date.parse('2026-02-01T10:00:00.000Z'),
      customerReference: 'K-1',
      properties: { bytes: 5 },
    });
  });

  it.each([
    ['no object', 7, 'invalid_type'],
    ['a list', [], 'invalid_type'],
    ['null', null, 'invalid_type'],
    ['no transactionId', { ...event, transactionId: undefined }, 'missing_field'],
    ['an empty eventName', { ...event, eventName: '' }, 'missing_field'],
    ['a number as customerId', { ...event, customerId: 12 }, 'invalid_type'],
    ['a very long transactionId', { ...event, transactionId: 'x'.repeat(256) }, 'invalid_type'],
    ['255 characters of two units each', { ...event, transactionId: '😀'.repeat(255) }, 'taken'],
    ['256 of them', { ...event, transactionId: '😀'.repeat(256) }, 'invalid_type'],
    ['a time without zone', { ...event, timestamp: '2026-02-01T11:00:00' }, 'invalid_timestamp'],
    ['a day that does not exist', { ...event, timestamp: '2026-02-30T11:00:00Z' }, 'invalid_timestamp'],
    ['a day only', { ...event, timestamp: '2026-02-01' }, 'invalid_timestamp'],
    ['a time 24 hours ahead', { ...event, timestamp: '2026-02-02T12:00:00Z' }, 'taken'],
    ['a time more than 24 hours ahead', { ...event, timestamp: '2026-02-02T12:00:00.001Z' }, 'timestamp_in_future'],
    ['properties as text', { ...event, properties: 'x' }, 'invalid_type'],
    ['properties null', { ...event, properties: null }, 'taken'],
    ['an unknown field', { ...event, amount: 5 }, 'unknown_field'],
    ['its read-only fields sent back', { ...event, id: 'x', createdAt: 'y' }, 'taken'],
    ['a NUL character', { ...event, properties: { deep: ['\u0000'] } }, 'invalid_type'],
    [
      'properties nested without end',
      { ...event, properties: JSON.parse(`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`) as object },
      'invalid_type',
    ],
    ['half a surrogate pair', { ...event, eventName: '\ud800' }, 'invalid_type'],
    ['a NUL character in the name of a property', { ...event, properties: { 'a\u0000': 1 } }, 'invalid_type'],
    ['a number beyond a double', { ...event, properties: JSON.parse('{"n":[1e400]}') as object }, 'invalid_type'],
    [
      'a negative number beyond a double',
      { ...event, properties: JSON.parse('{"n":-1e999}') as object },
      'invalid_type',
    ],
    ['the largest double', { ...event, properties: { n: Number.MAX_VALUE } }, 'taken'],
    ['a field named __proto__', JSON.parse('{"__proto__":{"x":1}}') as object, 'missing_field'],
    [
      'a property named __proto__',
      { ...event, properties: JSON.parse('{"__proto__":{"polluted":1}}') as object },
      'taken',
    ],
    ['a time in the year 0', { ...event, timestamp: '0000-12-31T00:00:00Z' }, 'invalid_timestamp'],
    ['a time before the year 1 in UTC', { ...event, timestamp: '0001-01-01T00:00:00+14:00' }, 'invalid_timestamp'],
    ['a time in the year 1', { ...event, timestamp: '0001-01-02T00:00:00Z' }, 'invalid_timestamp'],
    ['a time before 1900', { ...event, timestamp: '1899-12-28T23:59:59.999Z' }, 'invalid_timestamp'],
    ['the first time', { ...event, timestamp: '1900-01-01T00:00:00.000Z' }, 'taken'],
    ['a time after 2200', { ...event, timestamp: '2201-01-01T00:00:00Z' }, 'invalid_timestamp'],
    ['nanoseconds', { ...event, timestamp: '2026-02-01T11:00:00.123456789Z' }, 'taken'],
    ['second 60', { ...event, timestamp: '2026-02-01T11:00:60Z' }, 'invalid_timestamp'],
  ])('with %s', (_name, item, code) => expect(codeOf(item)).toBe(code));

  it('an error names the item and its transaction', () => {
    expect(readUsageEvent({ ...event, timestamp: 'x' }, 9)).toMatchObject({
      index: 9,
      transactionId: 't1',
      code: 'invalid_timestamp',
    });
    expect(readUsageEvent({}, 1)).toMatchObject({ index: 1, transactionId: null });
  });

  it('a leap day exists in leap years only', () => {
    expect(instantOf('2024-02-29T00:00:00Z')).toBeDefined();
    expect(instantOf('2026-02-29T00:00:00Z')).toBeUndefined();
  });
});
