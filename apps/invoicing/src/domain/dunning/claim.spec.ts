import { expect, it } from '@jest/globals';
import type { Day } from '@kontor/kernel';
import { claimOf, NO_CLAIMS, type PaidDays } from './claim.js';

const rule = { type: 'dunning', feeMinor: 0n, feeCurrencyCode: 'EUR' } as const;
const spansOf = (paid: readonly (readonly [string, string])[]) =>
  claimOf(
    { unpaidMinor: 1_000_000n, currencyCode: 'EUR' },
    {
      rule,
      earlier: NO_CLAIMS,
      today: '2026-03-31' as Day,
      dueDay: '2026-02-28' as Day,
      paidDays: paid.map(([from, to]): PaidDays => ({ from: from as Day, to: to as Day })),
      isBusiness: true,
      interest: true,
      lumpSum: false,
      baseRates: [['2016-07-01' as Day, 100]],
    },
  );

it.each<[string, [string, string][], string[]]>([
  ['never', [], ['2026-03-01 2026-03-31']],
  ['in time, and back later', [['2026-02-11', '2026-03-20']], ['2026-03-21 2026-03-31']],
  ['late', [['2026-03-06', '2026-03-20']], ['2026-03-01 2026-03-05', '2026-03-21 2026-03-31']],
  ['and open again on the same day', [['2026-03-06', '2026-03-05']], ['2026-03-01 2026-03-31']],
  ['before it was due', [['2026-02-02', '2026-02-20']], ['2026-03-01 2026-03-31']],
  ['until today', [['2026-02-02', '2026-03-31']], []],
  [
    'twice',
    [
      ['2026-03-02', '2026-03-04'],
      ['2026-03-05', '2026-03-30'],
    ],
    ['2026-03-01 2026-03-01', '2026-03-31 2026-03-31'],
  ],
])('interest is owed for the days on which it was open: paid %s', (_, paid, spans) => {
  const claim = spansOf(paid);
  expect(claim.interest.map(({ from, to }) => `${from} ${to}`)).toEqual(spans);
  expect(claim.interestTo).toBe(spans.length > 0 ? '2026-03-31' : null);
  expect(claim.claimMinor).toBe(1_000_000n + claim.interestMinor);
});
