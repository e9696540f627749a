import { describe, expect, it } from '@jest/globals';
import { decimal, decimalOf, formatDecimal } from '@kontor/money';
import { totalsOf } from '@kontor/tax';
import fc from 'fast-check';
import type { PricedPosition } from '../invoices/position.js';
import { chooseParts, type WantedPart } from './choose-parts.js';
import { afterDiscount, type Correction, grossOf, restOf, type Taken } from './rest.js';

const position = (
  id: string,
  change: Partial<PricedPosition> & Pick<PricedPosition, 'netMinor' | 'discountMinor' | 'taxMinor'>,
): PricedPosition =>
  ({
    id,
    quantity: '10',
    taxCategory: 'S',
    taxRate: '19',
    taxNoteKey: null,
    name: id,
    ...change,
  }) as PricedPosition;

/** What a credit stores, as it is read for the next one. */
const storedAs = (taken: Taken): Correction => ({
  netMinor: -taken.netMinor,
  discountMinor: -taken.discountMinor,
  taxMinor: -taken.taxMinor,
  taxCategory: taken.position.taxCategory,
  taxRate: taken.position.taxRate,
  taxNoteKey: taken.position.taxNoteKey,
  correctedPositionId: taken.position.id,
  correctedQuantity: taken.quantity && formatDecimal(taken.quantity),
});

const sums = (parts: readonly Pick<Taken, 'netMinor' | 'discountMinor' | 'taxMinor'>[]) => ({
  net: parts.reduce((sum, part) => sum + part.netMinor, 0n),
  discount: parts.reduce((sum, part) => sum + part.discountMinor, 0n),
  tax: parts.reduce((sum, part) => sum + part.taxMinor, 0n),
});

describe('what is left of an invoice', () => {
  const invoice = [
    position('a', { netMinor: 10000n, discountMinor: 1000n, taxMinor: 1710n }),
    position('b', { netMinor: 333n, discountMinor: 0n, taxMinor: 23n, taxRate: '7', quantity: '3' }),
  ];
  const wanted = (part: Partial<WantedPart> & { id: string }): WantedPart[] => [
    { quantity: null, netMinor: null, ...part },
  ];

  it('is all of it before the first credit, exactly', () => {
    expect(chooseParts(restOf(invoice, []), null, 'EUR').map(grossOf)).toEqual([10710n, 356n]);
  });

  it('a credit by quantity takes its part, the last one what is left', () => {
    const [first] = chooseParts(restOf(invoice, []), wanted({ id: 'b', quantity: decimal('1') }), 'EUR');
    expect(first).toMatchObject({ netMinor: 111n, taxMinor: 8n });
    const rest = restOf(invoice, [storedAs(first as Taken)]);
    const [second] = chooseParts(rest, wanted({ id: 'b', quantity: decimal('2') }), 'EUR');
    expect(second).toMatchObject({ netMinor: 222n, taxMinor: 15n });
  });

  it('a credit by amount is net after discount', () => {
    const [part] = chooseParts(restOf(invoice, []), wanted({ id: 'a', netMinor: 4500n }), 'EUR');
    expect(part).toMatchObject({ netMinor: 5000n, discountMinor: 500n, taxMinor: 855n, quantity: null });
  });

  it.each([
    ['more than the quantity', { id: 'b', quantity: decimal('3.0001') }],
    ['a negative quantity', { id: 'b', quantity: decimal('-1') }],
    ['no quantity', { id: 'b', quantity: decimal('0') }],
    ['more than the amount', { id: 'a', netMinor: 9001n }],
    ['no amount', { id: 'a', netMinor: 0n }],
  ])('refuses %s', (_, part) =>
    expect(() => chooseParts(restOf(invoice, []), wanted(part), 'EUR')).toThrow('has less left'),
  );

  it('refuses a position that is not there, and one that is named twice', () => {
    expect(() => chooseParts(restOf(invoice, []), wanted({ id: 'x' }), 'EUR')).toThrow('does not exist');
    const twice = [...wanted({ id: 'b', quantity: decimal('1') }), ...wanted({ id: 'b', quantity: decimal('1') })];
    expect(() => chooseParts(restOf(invoice, []), twice, 'EUR')).toThrow('named twice');
  });

  it('what was refunded of a kind of tax is not credited once more', () => {
    const refund: Correction = {
      netMinor: -1000n,
      discountMinor: 0n,
      taxMinor: -190n,
      taxCategory: 'S',
      taxRate: '19',
      taxNoteKey: null,
      correctedPositionId: null,
      correctedQuantity: null,
    };
    expect(chooseParts(restOf(invoice, [refund]), null, 'EUR').map(grossOf)).toEqual([10710n - 1190n, 356n]);
  });
});

const line = fc.record({
  net: fc.bigInt({ min: -50_000n, max: 1_000_000n }),
  discount: fc.integer({ min: 0, max: 100 }),
  quantity: fc.tuple(fc.bigInt({ min: 1n, max: 9999n }), fc.integer({ min: 0, max: 3 })),
  rate: fc.constantFrom('19', '7', '0'),
});

/** A step: what is asked for of which position; shares are of what is left or somewhat beyond. */
const step = fc.record({
  index: fc.nat(),
  by: fc.constantFrom('quantity', 'amount', 'rest'),
  share: fc.integer({ min: 1, max: 130 }),
});

describe('any sequence of credits', () => {
  it('never takes more of a position or a rate than it has; the cancellation of the rest makes it zero', () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 6 }), fc.array(step, { maxLength: 25 }), (lines, steps) => {
        const positions = invoiceOf(lines);
        const stored: Correction[] = [];
        for (const wanted of steps) {
          const rests = restOf(positions, stored);
          const rest = rests[wanted.index % rests.length]!;
          const left = afterDiscount(rest);
          const size = left < 0n ? -left : left;
          const part: WantedPart = {
            id: rest.position.id,
            quantity:
              wanted.by === 'quantity'
                ? decimalOf((rest.quantity.coefficient * BigInt(wanted.share)) / 100n, rest.quantity.scale)
                : null,
            netMinor: wanted.by === 'amount' ? (size * BigInt(wanted.share)) / 100n : null,
          };
          try {
            stored.push(...chooseParts(rests, [part], 'EUR').map(storedAs));
          } catch (error) {
            expect((error as { reason?: string }).reason).toBe('credit_exceeds_rest');
          }
          for (const { position: of, ...rested } of restOf(positions, stored)) {
            within(rested.netMinor, of.netMinor);
            within(rested.discountMinor, of.discountMinor);
            within(rested.taxMinor, of.taxMinor);
          }
        }
        const before = restOf(positions, stored);
        const last = before.some((rest) => grossOf(rest) !== 0n || rest.netMinor !== 0n)
          ? chooseParts(before, null, 'EUR')
          : [];
        const all = sums([...stored, ...last.map(storedAs), ...positions]);
        expect(all).toEqual({ net: 0n, discount: 0n, tax: 0n });
      }),
      { numRuns: 300 },
    );
  });
});

/** Between nothing and the original, on its side of zero. */
function within(rest: bigint, original: bigint): void {
  const [low, high] = original < 0n ? [original, 0n] : [0n, original];
  expect(rest >= low && rest <= high).toBe(true);
}

function invoiceOf(lines: readonly { net: bigint; discount: number; quantity: [bigint, number]; rate: string }[]) {
  const priced = lines.map(({ net, discount, rate }) => ({
    netMinor: net,
    discountMinor: (net * BigInt(discount)) / 100n,
    category: 'S' as const,
    rate,
    noteKey: null,
  }));
  const totals = totalsOf(priced, 'EUR');
  return lines.map(({ quantity: [coefficient, scale], rate }, index) =>
    position(String(index), {
      netMinor: priced[index]!.netMinor,
      discountMinor: priced[index]!.discountMinor,
      taxMinor: totals.lines[index]!.taxMinor,
      taxRate: rate,
      quantity: formatDecimal(decimalOf(coefficient, scale)),
    }),
  );
}
