import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  addDays,
  anchoredBoundary,
  anchoredIndex,
  atTimeOfDay,
  dayOf,
  daysBetween,
  endOfDay,
  isDay,
  isInterval,
  isSupportedDay,
  isUlid,
  newUlid,
  newUuid,
  parseInterval,
  startOfDay,
  ulidToUuid,
  uuidToUlid,
} from './index.js';

const month = parseInterval('1M');

describe('anchored periods', () => {
  it('an anchor on the 31st returns to the 31st', () => {
    expect([0, 1, 2, 3].map((n) => anchoredBoundary('2026-01-31', month, n))).toEqual([
      '2026-01-31',
      '2026-02-28',
      '2026-03-31',
      '2026-04-30',
    ]);
  });

  it('a leap day comes back every four years', () => {
    expect([1, 4].map((n) => anchoredBoundary('2024-02-29', parseInterval('1Y'), n))).toEqual([
      '2025-02-28',
      '2028-02-29',
    ]);
  });

  it('every day lies in exactly one period', () => {
    const days = fc.integer({ min: 0, max: 20000 }).map((n) => addDays('1990-01-01', n));
    const interval = fc.constantFrom('1D', '14D', '1W', '1M', '3M', '1Y').map(parseInterval);
    fc.assert(
      fc.property(days, interval, days, (anchor, every, day) => {
        const n = anchoredIndex(anchor, every, day);
        expect(anchoredBoundary(anchor, every, n) <= day && day < anchoredBoundary(anchor, every, n + 1)).toBe(true);
      }),
    );
  });
});

describe('bounds', () => {
  it.each([
    ['1900-01-01', true],
    ['2200-12-31', true],
    ['1899-12-31', false],
    ['2201-01-01', false],
    ['9999-12-31', false],
    ['0000-01-01', false],
    ['2026-02-30', false],
  ])('%s is a day that business can be about: %s', (day, expected) => expect(isSupportedDay(day)).toBe(expected));

  it.each([
    ['10Y', true],
    ['120M', true],
    ['522W', true],
    ['3660D', true],
    ['11Y', false],
    ['121M', false],
    ['523W', false],
    ['3661D', false],
    ['9999Y', false],
    ['0M', false],
  ])('%s is an interval: %s', (text, expected) => {
    expect(isInterval(text)).toBe(expected);
    if (!expected) expect(() => parseInterval(text)).toThrow('interval of up to ten years');
  });
});

describe('local days', () => {
  it('has 23 and 25 hours when clocks change', () => {
    const hours = (day: string): number =>
      (startOfDay(addDays(day, 1), 'Europe/Berlin').getTime() - startOfDay(day, 'Europe/Berlin').getTime()) / 3_600_000;
    expect(hours('2026-03-29')).toBe(23);
    expect(hours('2026-10-25')).toBe(25);
    expect(hours('2026-10-26')).toBe(24);
  });

  it('moves a skipped time forward', () => {
    expect(atTimeOfDay('2026-03-29', '02:30', 'Europe/Berlin').toISOString()).toBe('2026-03-29T01:30:00.000Z');
    expect(atTimeOfDay('2026-06-01', '03:00', 'Europe/Berlin').toISOString()).toBe('2026-06-01T01:00:00.000Z');
  });

  it('knows the day on both sides of midnight', () => {
    expect(dayOf(new Date('2026-01-30T23:30:00Z'), 'Europe/Berlin')).toBe('2026-01-31');
    expect(endOfDay('2026-01-31', 'Europe/Berlin').toISOString()).toBe('2026-01-31T22:59:59.999Z');
    expect(daysBetween('2026-02-28', '2026-03-31')).toBe(31);
  });

  it('refuses days that do not exist', () => {
    expect(isDay('2026-02-29')).toBe(false);
    expect(isDay('2028-02-29')).toBe(true);
    expect(isDay('2026-1-1')).toBe(false);
  });
});

describe('ids', () => {
  it('a ULID and its UUID form are the same 16 bytes', () => {
    const id = newUlid();
    expect(isUlid(id)).toBe(true);
    expect(uuidToUlid(ulidToUuid(id))).toBe(id);
    const uuid = newUuid();
    expect(ulidToUuid(uuidToUlid(uuid))).toBe(uuid);
  });
});
