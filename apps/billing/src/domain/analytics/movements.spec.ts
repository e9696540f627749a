import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { addDays } from '@kontor/kernel';
import { monthlyFigures } from './monthly-figures.js';
import { MOVEMENT_KINDS, type Movement, movementsAfter, type SeenLevels } from './movements.js';

const level = (from: string, annual: number, planId: string | null = null, currencyCode = 'EUR') => ({
  from,
  planId,
  currencyCode,
  annualMinor: BigInt(annual),
});
const seen = (on: string, ...levels: SeenLevels['levels']): SeenLevels => ({ on, levels });
const after = (...events: SeenLevels[]): Movement[] => events.reduce<Movement[]>(movementsAfter, []);
const short = (movements: readonly Movement[]) =>
  movements.map(({ day, kind, planId, annualMinor }) => `${day} ${kind} ${planId ?? '-'} ${annualMinor}`);

describe('movements of recurring revenue', () => {
  it('are new, expansion, contraction, churn and reactivation', () => {
    const events = [
      seen('2026-01-10', level('2026-01-10', 1200)),
      seen('2026-02-01', level('2026-01-10', 2400)),
      seen('2026-03-01', level('2026-01-10', 600)),
      seen('2026-04-01', level('2026-01-10', 600), level('2026-05-01', 0)),
      seen('2026-06-01', level('2026-01-10', 600), level('2026-05-01', 0), level('2026-06-01', 900)),
    ];
    expect(short(after(...events))).toEqual([
      '2026-01-10 new - 1200',
      '2026-02-01 expansion - 1200',
      '2026-03-01 contraction - -1800',
      '2026-05-01 churn - -600',
      '2026-06-01 reactivation - 900',
    ]);
  });

  it('between plans are transfers, and the rest is expansion or contraction', () => {
    const changed = seen('2026-01-10', level('2026-01-10', 1200, 'a'), level('2026-03-10', 1500, 'b'));
    expect(short(after(changed))).toEqual([
      '2026-01-10 new a 1200',
      '2026-03-10 transfer_out a -1200',
      '2026-03-10 transfer_in b 1200',
      '2026-03-10 expansion b 300',
    ]);
  });

  it('of the past stay, those ahead follow what is agreed', () => {
    const planned = seen('2026-01-10', level('2026-01-10', 1200), level('2026-03-10', 0));
    const revoked = seen('2026-02-01', level('2026-01-10', 1200));
    expect(short(after(planned, revoked))).toEqual(['2026-01-10 new - 1200']);
    const late = seen('2026-03-11', level('2026-01-10', 1200));
    expect(short(after(planned, late))).toEqual([
      '2026-01-10 new - 1200',
      '2026-03-10 churn - -1200',
      '2026-03-11 reactivation - 1200',
    ]);
  });

  it('of one that is first seen later begin with its first day', () => {
    expect(short(after(seen('2026-03-01', level('2026-01-31', 1200))))).toEqual(['2026-01-31 new - 1200']);
  });

  const events = fc
    .array(
      fc.tuple(
        fc.nat({ max: 40 }),
        fc.array(
          fc.tuple(
            fc.nat({ max: 90 }),
            fc.constantFrom(0, 0, 1200, 999, 12345),
            fc.constantFrom('a', 'b', null),
            fc.constantFrom('EUR', 'USD'),
          ),
          { maxLength: 5 },
        ),
      ),
      { minLength: 1, maxLength: 6 },
    )
    .map((list) => {
      let on = '2026-01-01';
      return list.map(([wait, levels]): SeenLevels => {
        on = addDays(on, wait);
        const unique = new Map(levels.map((l) => [`${l[0]} ${l[3]}`, l]));
        const sorted = [...unique.values()].sort((a, b) => a[0] - b[0]);
        return seen(
          on,
          ...sorted.map(([day, annual, plan, code]) => level(addDays('2026-01-01', day), annual, plan, code)),
        );
      });
    });

  it('sum to the level in force, whatever is agreed and changed', () => {
    fc.assert(
      fc.property(events, (list) => {
        const movements = after(...list);
        const { on, levels } = list.at(-1)!;
        for (const code of ['EUR', 'USD'])
          for (const day of [on, addDays(on, 30), addDays(on, 200)]) {
            const sum = movements
              .filter((m) => m.currencyCode === code && m.day <= day)
              .reduce((total, m) => total + m.annualMinor, 0n);
            const inForce = levels.findLast((l) => l.currencyCode === code && l.from <= day);
            expect(sum).toBe(inForce?.annualMinor ?? 0n);
          }
      }),
    );
  });

  it('are the same when an event comes again', () => {
    fc.assert(
      fc.property(events, (list) => {
        const once = after(...list);
        expect(movementsAfter(once, list.at(-1)!)).toEqual(once);
      }),
    );
  });
});

describe('figures of months', () => {
  it('are twelfths whose parts sum to the difference, to the cent', () => {
    const parts = fc.array(
      fc.record({
        month: fc.integer({ min: -1, max: 2 }),
        kind: fc.constantFrom(...MOVEMENT_KINDS),
        annualMinor: fc.bigInt({ min: -100_000n, max: 100_000n }),
        subscriptions: fc.constant(0),
        count: fc.constant(1),
      }),
    );
    fc.assert(
      fc.property(parts, (summed) => {
        const months = monthlyFigures(summed, 3);
        for (const { mrr, mrrAtStart, moved } of months)
          expect(Object.values(moved).reduce((a, b) => a + b, mrrAtStart)).toBe(mrr);
        expect(months.at(-1)!.arr).toBe(summed.reduce((sum, { annualMinor }) => sum + annualMinor, 0n));
      }),
    );
  });

  it('count who was there and who was lost', () => {
    const [january, february] = monthlyFigures(
      [
        { month: -1, kind: 'new', annualMinor: 3600n, subscriptions: 3, count: 3 },
        { month: 0, kind: 'churn', annualMinor: -1200n, subscriptions: -1, count: 1 },
        { month: 1, kind: 'reactivation', annualMinor: 1200n, subscriptions: 1, count: 1 },
      ],
      2,
    );
    expect(january).toMatchObject({ mrr: 200n, mrrAtStart: 300n, subscriptionsAtStart: 3, subscriptions: 2, lost: 1 });
    expect(february).toMatchObject({ mrr: 300n, subscriptionsAtStart: 2, subscriptions: 3, lost: 0 });
  });
});
