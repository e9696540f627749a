import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { PricedPosition } from '../invoices/position.js';
import { splitRefund } from './split-refund.js';

const position = (netMinor: bigint, taxMinor: bigint, taxRate: string): PricedPosition =>
  ({
    netMinor,
    taxMinor,
    grossMinor: netMinor + taxMinor,
    taxRate,
    taxCategory: 'S',
    taxNoteKey: null,
  }) as PricedPosition;

describe('the tax of a refund', () => {
  it('goes back as it was charged', () => {
    const positions = [position(10_000n, 1900n, '19'), position(5000n, 350n, '7'), position(1000n, 190n, '19')];
    const amounts = (minor: bigint) =>
      splitRefund(minor, positions).map((share) => [share.like.taxRate, share.netMinor, share.taxMinor]);
    expect(amounts(18_440n)).toEqual([
      ['19', 11_000n, 2090n],
      ['7', 5000n, 350n],
    ]);
    expect(amounts(1844n)).toEqual([
      ['19', 1100n, 209n],
      ['7', 500n, 35n],
    ]);
  });

  it('whatever the amount, the shares are the whole', () => {
    const money = fc.bigInt({ min: 0n, max: 10n ** 9n });
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 10n ** 9n }),
        fc.array(fc.tuple(money, fc.constantFrom(0n, 7n, 19n)), { minLength: 1, maxLength: 5 }),
        (amount, list) => {
          const positions = list.map(([net, rate]) => position(net + 1n, (net * rate) / 100n, String(rate)));
          const shares = splitRefund(amount, positions);
          expect(shares.reduce((sum, share) => sum + share.netMinor + share.taxMinor, 0n)).toBe(amount);
          for (const share of shares) expect(share.taxMinor >= 0n && share.netMinor >= 0n).toBe(true);
        },
      ),
    );
  });
});
