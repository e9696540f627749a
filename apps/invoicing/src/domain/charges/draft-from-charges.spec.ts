import { describe, expect, it } from '@jest/globals';
import { type ChargeLine, type ChargesDue, chargesDueV1 } from '@kontor/contracts';
import { planDrafts, positionsOfCharges } from './draft-from-charges.js';

const batch = (batchId: string, change: Partial<ChargesDue> = {}): ChargesDue => ({
  ...chargesDueV1.example,
  batchId,
  ...change,
});
const shape = (batches: ChargesDue[]): string[] =>
  planDrafts(batches).map((plan) => plan.batches.map((batch) => batch.batchId).join('+'));

describe('batches become documents', () => {
  it('one per customer, due day, grouping and currency; immediate ones alone', () => {
    const day = { billingDay: '2026-03-01' };
    expect(
      shape([
        batch('a'),
        batch('b'),
        batch('c', day),
        batch('d', { groupingKey: 'x' }),
        batch('e', { customerId: 'other' }),
        batch('f', { immediate: true }),
        batch('g', { immediate: true }),
        batch('h', day),
        batch('i', { currencyCode: 'USD' }),
      ]),
    ).toEqual(['a+b', 'c+h', 'd', 'e', 'f', 'g', 'i']);
  });

  it('lines keep what was rated; the period ends on its last included instant; discounts follow the sign', () => {
    const line = chargesDueV1.example.lines[0] as ChargeLine;
    const lines: ChargeLine[] = [
      { ...line, discountAmount: { amount: 300, currencyCode: 'EUR' } },
      {
        ...line,
        kind: 'credit',
        netAmount: { amount: -1500, currencyCode: 'EUR' },
        discountAmount: { amount: 300, currencyCode: 'EUR' },
      },
      { ...line, kind: 'setup', serviceTo: line.serviceFrom },
    ];
    const positions = positionsOfCharges(lines, { invoiceId: 'i', after: 2, now: new Date(0), newId: () => 'id' });
    expect(positions.map((p) => [p.ordinal, p.type, p.ratedNetMinor, p.ratedDiscountMinor])).toEqual([
      [3, 'product', 3000n, 300n],
      [4, 'product', -1500n, -300n],
      [5, 'setup', 3000n, 0n],
    ]);
    expect(positions[0]?.serviceLast?.toISOString()).toBe('2026-03-30T21:59:59.999Z');
    expect(positions[2]?.serviceLast?.toISOString()).toBe(line.serviceFrom);
  });
});
