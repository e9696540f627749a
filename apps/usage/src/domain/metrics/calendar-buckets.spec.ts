import { describe, expect, it } from '@jest/globals';
import { dayOf, startOfDay } from '@kontor/kernel';
import fc from 'fast-check';
import { cutByCalendar, dayBucket, hourBucket, monthBucket } from './calendar-buckets.js';
import { coverPeriod } from '../measurement/cover-period.js';

const zones = [
  'Europe/Berlin',
  'Asia/Kolkata',
  'America/New_York',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
  'Pacific/Apia',
  'America/Sao_Paulo',
  'UTC',
];
const anInstant = fc.integer({ min: Date.parse('2010-01-01T00:00:00Z'), max: Date.parse('2030-01-01T00:00:00Z') });
const aZone = fc.constantFrom(...zones);

describe('calendar buckets', () => {
  it('a day is the one that the calendar says, with 23, 24 and 25 hours', () => {
    fc.assert(
      fc.property(anInstant, aZone, (at, zone) => {
        const { from, to } = dayBucket(at, zone);
        expect(from <= at && at < to).toBe(true);
        expect(dayOf(new Date(at), zone)).toBe(dayOf(new Date(from), zone));
        expect(startOfDay(dayOf(new Date(at), zone), zone).getTime()).toBe(from);
      }),
    );
    const hours = (text: string): number => {
      const { from, to } = dayBucket(Date.parse(text), 'Europe/Berlin');
      return (to - from) / 3_600_000;
    };
    expect([hours('2026-03-29T12:00:00Z'), hours('2026-03-30T12:00:00Z'), hours('2026-10-25T12:00:00Z')]).toEqual([
      23, 24, 25,
    ]);
  });

  it('cuts tile the period, and cuts of hours are hours of the local day', () => {
    fc.assert(
      fc.property(anInstant, fc.integer({ min: 1, max: 80 * 3_600_000 }), aZone, fc.constantFrom('hour', 'day', 'month'), (from, length, zone, granularity) => {
        const cuts = cutByCalendar({ from, to: from + length }, granularity, zone, 500)!;
        expect(cuts[0]!.from).toBe(from);
        expect(cuts.at(-1)!.to).toBe(from + length);
        cuts.slice(1).forEach((cut, i) => expect(cut.from).toBe(cuts[i]!.to));
        if (granularity === 'day') cuts.slice(1).forEach((cut) => expect(dayBucket(cut.from, zone).from).toBe(cut.from));
      }),
    ); // prettier-ignore
    expect(cutByCalendar({ from: 0, to: 86_400_000 }, 'hour', 'UTC', 23)).toBeUndefined();
    expect(
      cutByCalendar({ from: 0, to: 86_400_000 }, 'hour', 'Asia/Kolkata', 30)!
        .map((cut) => (cut.from / 60_000) % 60)
        .slice(1, 3),
    ).toEqual([30, 30]);
  });

  it('a month begins and ends at local midnight', () => {
    const { from, to } = monthBucket(Date.parse('2026-03-31T22:30:00Z'), 'Europe/Berlin');
    expect([new Date(from).toISOString(), new Date(to).toISOString()]).toEqual([
      '2026-03-31T22:00:00.000Z',
      '2026-04-30T22:00:00.000Z',
    ]);
  });

  it('a period is covered without gap or overlap, buckets are whole, and none that is not built is used', () => {
    const rollups = fc.record({
      rollup: fc.constantFrom('day' as const, 'hour' as const),
      bucketZone: aZone,
      builtFrom: fc.option(anInstant),
    });
    fc.assert(
      fc.property(anInstant, fc.integer({ min: 1, max: 900 * 3_600_000 }), rollups, (from, length, metric) => {
        const span = { from, to: from + length };
        const cover = coverPeriod(span, metric);
        const parts = [...cover.rollups, ...cover.raw].sort((a, b) => a.from - b.from);
        expect(parts[0]!.from).toBe(from);
        expect(parts.at(-1)!.to).toBe(span.to);
        parts.slice(1).forEach((part, i) => expect(part.from).toBe(parts[i]!.to));
        for (const { from: begin, to: end, width } of cover.rollups) {
          for (const at of [begin, end])
            expect((width === 'day' ? dayBucket(at, metric.bucketZone) : hourBucket(at)).from).toBe(at);
          if (metric.builtFrom !== null) expect(begin).toBeGreaterThan(metric.builtFrom);
        }
      }),
    );
  });
});
