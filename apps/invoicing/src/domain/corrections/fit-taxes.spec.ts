import { describe, expect, it } from '@jest/globals';
import { decimal, decimalOf, formatDecimal } from '@kontor/money';
import { totalsOf } from '@kontor/tax';
import fc from 'fast-check';
import type { PricedPosition } from '../invoices/position.js';
import { chooseParts, type WantedPart } from './choose-parts.js';
import { afterDiscount, type Correction, type Rest, restOf, type Taken } from './rest.js';

function invoiceOf(nets: readonly bigint[], rate: string): PricedPosition[] {
  const lines = nets.map((netMinor) => ({ netMinor, discountMinor: 0n, category: 'S' as const, rate, noteKey: null }));
  return totalsOf(lines, 'JPY').lines.map(
    ({ netAfterDiscountMinor, taxMinor }, index) =>
      ({
        id: String(index),
        name: String(index),
        quantity: '10',
        taxCategory: 'S',
        taxRate: rate,
        taxNoteKey: null,
        netMinor: netAfterDiscountMinor,
        discountMinor: 0n,
        taxMinor,
      }) as PricedPosition,
  );
}

/** What a credit stores, as it is read for the next one. */
const storedAs = ({ position, netMinor, discountMinor, taxMinor, quantity }: Taken): Correction => ({
  netMinor: -netMinor,
  discountMinor: -discountMinor,
  taxMinor: -taxMinor,
  taxCategory: position.taxCategory,
  taxRate: position.taxRate,
  taxNoteKey: position.taxNoteKey,
  correctedPositionId: position.id,
  correctedQuantity: quantity && formatDecimal(quantity),
});
const taxOf = (parts: readonly { taxMinor: bigint }[]): bigint =>
  parts.reduce((sum, { taxMinor }) => sum + taxMinor, 0n);

/** How far the tax of a document is from its rate, in minor units. */
const offOf = (taken: readonly Taken[], rate: string): number =>
  Math.abs(
    Number(taxOf(taken)) - (Number(taken.reduce((sum, part) => sum + afterDiscount(part), 0n)) * Number(rate)) / 100,
  );

const named = (rests: readonly Rest[], of: (rest: Rest) => Partial<WantedPart>): WantedPart[] =>
  rests.map((rest) => ({ id: rest.position.id, quantity: null, netMinor: null, ...of(rest) }));

describe('the tax of a credit in a currency without decimals', () => {
  it('is what its net amount bears, though each of its lines would be rounded up', () => {
    const rests = restOf(invoiceOf(new Array<bigint>(12).fill(50_000_017n), '19'), []);
    const taken = chooseParts(
      rests,
      named(rests, () => ({ quantity: decimal('2.5') })),
      'JPY',
    );
    expect(taken.map(({ netMinor }) => netMinor)).toEqual(new Array(12).fill(12_500_004n));
    expect(offOf(taken, '19')).toBeLessThan(1);
  });

  it('of lines that are credited whole is shifted as little as needed, and those that stay bear it', () => {
    // Each line's exact tax is 9.5: five of them were billed 10, five 9.
    const positions = invoiceOf(new Array<bigint>(10).fill(50n), '19');
    expect(positions.map(({ taxMinor }) => taxMinor)).toEqual([10n, 10n, 10n, 10n, 10n, 9n, 9n, 9n, 9n, 9n]);
    const rests = restOf(positions, []);
    const taken = chooseParts(
      rests,
      named(rests.slice(0, 5), () => ({})),
      'JPY',
    );
    expect([taxOf(taken), offOf(taken, '19')]).toEqual([48n, 0.5]);
    const left = restOf(positions, taken.map(storedAs));
    expect(left.slice(0, 5).map(({ taxMinor }) => taxMinor)).toEqual([0n, 0n, 0n, 0n, 0n]);
    const last = chooseParts(left, null, 'JPY');
    expect([last.length, taxOf(last), offOf(last, '19')]).toEqual([5, 47n, 0.5]);
  });

  it('is left as it is where the currency has decimals', () => {
    const rests = restOf(invoiceOf(new Array<bigint>(12).fill(50_000_017n), '19'), []);
    const parts = named(rests, () => ({ quantity: decimal('2.5') }));
    expect(taxOf(chooseParts(rests, parts, 'EUR'))).toBe(12n * 2_375_001n);
  });

  it('fits whatever is credited in whatever order, and all credits together are the invoice', () => {
    const credit = fc.record({
      lines: fc.array(fc.nat(), { minLength: 1, maxLength: 12 }),
      by: fc.constantFrom('quantity', 'amount', 'rest'),
      share: fc.bigInt({ min: 1n, max: 99n }),
    });
    fc.assert(
      fc.property(
        fc.array(fc.bigInt({ min: 1n, max: 3_000n }), { minLength: 1, maxLength: 12 }),
        fc.constantFrom('19', '7', '20', '8'),
        fc.array(credit, { maxLength: 25 }),
        (nets, rate, credits) => {
          const positions = invoiceOf(nets, rate);
          const stored: Correction[] = [];
          for (const { lines, by, share } of credits) {
            const rests = restOf(positions, stored).filter((rest) => afterDiscount(rest) > 0n);
            if (rests.length === 0) break;
            const ids = new Set(lines.map((line) => rests[line % rests.length]!.position.id));
            const part = (minor: bigint): bigint => (minor * share) / 100n;
            const parts = named(
              rests.filter(({ position }) => ids.has(position.id)),
              (rest) => ({
                quantity:
                  by === 'quantity'
                    ? decimalOf(part(rest.quantity.coefficient * 1000n), rest.quantity.scale + 3)
                    : null,
                netMinor: by === 'amount' ? part(afterDiscount(rest)) || 1n : null,
              }),
            );
            const taken = chooseParts(restOf(positions, stored), parts, 'JPY');
            expect(offOf(taken, rate)).toBeLessThan(1);
            stored.push(...taken.map(storedAs));
          }
          const left = restOf(positions, stored);
          const last = left.some((rest) => rest.netMinor !== 0n) ? chooseParts(left, null, 'JPY') : [];
          expect(offOf(last, rate)).toBeLessThan(1);
          expect(taxOf(positions) + taxOf(stored) - taxOf(last)).toBe(0n);
          expect(last.length > 0 || left.every(({ taxMinor }) => taxMinor === 0n)).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });
});
