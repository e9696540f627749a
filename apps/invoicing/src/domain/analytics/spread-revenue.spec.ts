import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { addDays } from '@kontor/kernel';
import { type BilledLine, spreadRevenue } from './spread-revenue.js';

const YEAR = ['2026-01-01', '2026-02-01', '2026-03-01', '2026-04-01'];
const line = (netMinor: bigint, serviceFrom: string | null, serviceLast: string | null, month: number): BilledLine => ({
  netMinor,
  serviceFrom,
  serviceLast,
  month,
});
const of = (lines: BilledLine[]) =>
  spreadRevenue(lines, YEAR).map((month) => [month.invoicedMinor, month.recognizedMinor, month.deferredMinor]);

describe('revenue by service period', () => {
  it('is spread by days, and what lies ahead is deferred', () => {
    expect(of([line(9000n, '2026-01-01', '2026-03-31', 0)])).toEqual([
      [9000n, 3100n, 5900n],
      [0n, 2800n, 3100n],
      [0n, 3100n, 0n],
    ]);
  });

  it('rendered before it is invoiced, it is deferred below zero until then', () => {
    expect(of([line(1000n, '2026-01-01', '2026-01-31', 1)])).toEqual([
      [0n, 1000n, -1000n],
      [1000n, 0n, 0n],
      [0n, 0n, 0n],
    ]);
  });

  it('without a service period counts when it is finalized', () => {
    expect(of([line(500n, null, null, 2)])).toEqual([
      [0n, 0n, 0n],
      [0n, 0n, 0n],
      [500n, 500n, 0n],
    ]);
  });

  it('of what was invoiced before the first month its rest is there; credits lower it', () => {
    expect(of([line(6200n, '2025-12-01', '2026-01-31', -1), line(-3100n, '2026-01-01', '2026-01-31', 0)])).toEqual([
      [-3100n, 0n, 0n],
      [0n, 0n, 0n],
      [0n, 0n, 0n],
    ]);
  });

  it('sums to what was invoiced, to the cent, whatever the periods', () => {
    const lines = fc.array(
      fc
        .tuple(fc.bigInt({ min: -10_000n, max: 10_000n }), fc.nat({ max: 30 }), fc.nat({ max: 50 }), fc.nat({ max: 2 }))
        .map(([net, from, days, month]) =>
          line(net, addDays('2026-01-01', from), addDays('2026-01-01', from + days), month),
        ),
    );
    fc.assert(
      fc.property(lines, (some) => {
        const months = spreadRevenue(some, YEAR);
        const sum = (of: 'invoicedMinor' | 'recognizedMinor') => months.reduce((total, month) => total + month[of], 0n);
        expect(sum('invoicedMinor')).toBe(some.reduce((total, { netMinor }) => total + netMinor, 0n));
        expect(sum('recognizedMinor')).toBe(sum('invoicedMinor') - months.at(-1)!.deferredMinor);
      }),
    );
  });
});
