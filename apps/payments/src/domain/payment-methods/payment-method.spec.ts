import { describe, expect, it } from '@jest/globals';
import { canCollect, type ChargeableMethod, displayName, lastDayOfCard, methodFor } from './payment-method.js';

const method = (more: Partial<ChargeableMethod> = {}): ChargeableMethod => ({
  id: 'm', customerId: 'c', gatewayName: 'card_provider', status: 'active', enabled: true, futureUsageAllowed: true, ...more,
}); // prettier-ignore

describe('whether money can be fetched', () => {
  it.each([
    [{}, 'EUR', true],
    [{}, 'USD', true],
    [{ gatewayName: 'bank_transfer' }, 'EUR', false],
    [{ gatewayName: 'wallet' }, 'EUR', false],
    [{ gatewayName: 'sepa_debit' }, 'EUR', true],
    [{ gatewayName: 'sepa_debit' }, 'CHF', false],
    [{ status: 'action_required' }, 'EUR', false],
    [{ status: 'expired' }, 'EUR', false],
    [{ status: 'revoked' }, 'EUR', false],
    [{ status: 'gateway_unconfigured' }, 'EUR', false],
    [{ enabled: false }, 'EUR', false],
    [{ futureUsageAllowed: false }, 'EUR', false],
    [{ futureUsageAllowed: false, gatewayName: 'sepa_debit' }, 'EUR', true],
    [{ gatewayName: 'barter' }, 'EUR', false],
  ] as const)('%j in %s: %s', (more, currency, expected) => expect(canCollect(method(more), currency)).toBe(expected));

  it('a method that was named and is another customer’s settles nothing', () => {
    const fallback = method();
    expect(methodFor('c', method({ customerId: 'd' }), true, fallback)).toBeNull();
    expect(methodFor('c', null, true, fallback)).toBeNull();
    expect(methodFor('c', null, false, fallback)).toBe(fallback);
  });
});

describe('a card', () => {
  it.each([
    [2, 2028, '2028-02-29'],
    [12, 2026, '2026-12-31'],
    [4, 2027, '2027-04-30'],
    [13, 2027, null],
    [null, 2027, null],
  ])('of %s/%s can be charged until %s', (expMonth, expYear, expected) =>
    expect(lastDayOfCard({ expMonth, expYear })).toBe(expected),
  );
});

describe('the name of a method', () => {
  const card = { brand: 'visa', last4: '4242', expMonth: 1, expYear: 2030, cardHolder: null };
  it.each([
    [{ card }, 'Visa •••• 4242'],
    [{ card: { ...card, brand: null } }, 'Card •••• 4242'],
    [{ account: { iban: 'DE89••••3000' } }, 'SEPA DE89••••3000'],
    [{ onlineWallet: { email: 'ada@example.com', billingAgreementId: null } }, 'ada@example.com'],
    [{}, null],
  ])('%#: %s', (details, expected) => expect(displayName(details)).toBe(expected));
});
