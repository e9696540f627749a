import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { planRefund, type RefundablePayment } from './refunds.js';

const payment = (id: string, leftMinor: bigint, more: Partial<RefundablePayment> = {}): RefundablePayment => ({
  id,
  leftMinor,
  paymentMethodId: `m-${id}`,
  gatewayName: 'card_provider',
  paidAt: new Date(2026, 0, Number(id)),
  ...more,
});
const canRefund = (name: string): boolean => name !== 'bank_transfer';
const plan = (amountMinor: bigint, payments: RefundablePayment[], methodId: string | null = null) => {
  const { parts, restMinor } = planRefund({ amountMinor, methodId, payments, canRefund });
  return [...parts.map((part) => [part.paymentId, part.amountMinor]), restMinor];
};

describe('which payments are refunded', () => {
  it('the newest first', () => expect(plan(70n, [payment('1', 50n), payment('2', 60n)])).toEqual([['2', 60n], ['1', 10n], 0n])); // prettier-ignore
  it('those of the wanted method before', () =>
    expect(plan(70n, [payment('1', 50n), payment('2', 60n)], 'm-1')).toEqual([['1', 50n], ['2', 20n], 0n]));
  it('what came by bank goes another way', () =>
    expect(plan(70n, [payment('1', 50n), payment('2', 60n, { gatewayName: 'bank_transfer' })])).toEqual([
      ['1', 50n],
      20n,
    ]));

  it('never more than is left of each, and together with the rest the whole', () => {
    const left = fc.bigInt({ min: -5n, max: 1000n });
    const leftAtGateway = fc.tuple(left, fc.constantFrom('card_provider', 'bank_transfer'));
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 3000n }),
        fc.array(leftAtGateway, { maxLength: 6 }),
        (amountMinor, list) => {
          const payments = list.map(([leftMinor, gatewayName], i) =>
            payment(String(i + 1), leftMinor, { gatewayName }),
          );
          const { parts, restMinor } = planRefund({ amountMinor, methodId: null, payments, canRefund });
          expect(parts.reduce((sum, part) => sum + part.amountMinor, restMinor)).toBe(amountMinor);
          for (const part of parts) {
            expect(part.amountMinor).toBeGreaterThan(0n);
            expect(part.amountMinor).toBeLessThanOrEqual(payments.find(({ id }) => id === part.paymentId)!.leftMinor);
          }
          expect(restMinor).toBeGreaterThanOrEqual(0n);
        },
      ),
    );
  });
});
