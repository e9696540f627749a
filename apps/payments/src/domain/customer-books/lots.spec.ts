import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { groupByOrigin, type Lot, planUse, refill, take, usableMinor } from './lots.js';
import { NO_ORIGIN } from './wallet.js';

const now = new Date('2026-03-01T00:00:00Z');
const day = (n: number): Date => new Date(now.getTime() + n * 86_400_000);
const lot = (id: string, remaining: number, more: Partial<Lot> = {}): Lot => ({
  id, walletId: 'w', sourceTransactionId: null, sourceIntentId: null, origin: NO_ORIGIN, promotional: false, expiresAt: null, amountMinor: BigInt(remaining),
  remainingMinor: BigInt(remaining), ordinal: 1, createdAt: now, ...more,
}); // prettier-ignore

describe('the order in which credit is used', () => {
  it('promotional first, then the earliest expiry, then the oldest', () => {
    const lots = [
      lot('young', 10, { ordinal: 5 }),
      lot('old', 10, { ordinal: 2 }),
      lot('late', 10, { ordinal: 3, expiresAt: day(30) }),
      lot('soon', 10, { ordinal: 4, expiresAt: day(2) }),
      lot('gift', 10, { ordinal: 9, promotional: true }),
      lot('gift-soon', 10, { ordinal: 10, promotional: true, expiresAt: day(5) }),
    ];
    expect(planUse(lots, 60n, now)?.map((use) => use.lotId)).toEqual([
      'gift-soon',
      'gift',
      'soon',
      'late',
      'old',
      'young',
    ]);
    expect(planUse(lots, 15n, now)).toEqual([
      { lotId: 'gift-soon', amountMinor: 10n },
      { lotId: 'gift', amountMinor: 5n },
    ]);
  });

  it('what has expired pays nothing, even before it is booked out', () => {
    expect(planUse([lot('gone', 10, { expiresAt: now })], 1n, now)).toBeUndefined();
    expect(usableMinor([lot('gone', 10, { expiresAt: now }), lot('here', 7)], now)).toBe(7n);
  });

  it('refuses more than there is, as a whole', () => expect(planUse([lot('a', 10)], 11n, now)).toBeUndefined());

  it('names the origin of what was used, once each', () => {
    const card = { paymentMethodId: 'm', gatewayName: 'testing', reference: 'r' };
    const lots = [lot('a', 5), lot('b', 5, { ordinal: 2, origin: card }), lot('c', 5, { ordinal: 3 })];
    const groups = groupByOrigin(lots, planUse(lots, 13n, now)!);
    expect(groups.map((g) => [g.origin.reference, g.amountMinor])).toEqual([
      [null, 8n],
      ['r', 5n],
    ]);
  });

  it('a reversal refills the same lots, whatever was used in between', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            remaining: fc.integer({ min: 0, max: 50 }),
            promotional: fc.boolean(),
            expiry: fc.option(fc.integer({ min: 1, max: 9 })),
          }),
          { minLength: 1, maxLength: 8 },
        ),
        fc.integer({ min: 0, max: 200 }),
        (given, wanted) => {
          const lots = given.map((g, i) =>
            lot(`l${i}`, g.remaining, {
              ordinal: i,
              promotional: g.promotional,
              expiresAt: g.expiry === null ? null : day(g.expiry),
            }),
          );
          const before = lots.map((l) => l.remainingMinor);
          const total = before.reduce((a, b) => a + b, 0n);
          const uses = planUse(lots, BigInt(wanted), now);
          expect(uses === undefined).toBe(BigInt(wanted) > total);
          if (!uses) return;
          expect(uses.reduce((sum, use) => sum + use.amountMinor, 0n)).toBe(BigInt(wanted));
          take(lots, uses);
          expect(usableMinor(lots, now)).toBe(total - BigInt(wanted));
          refill(lots, uses);
          expect(lots.map((l) => l.remainingMinor)).toEqual(before);
        },
      ),
    );
  });
});
