import { describe, expect, it } from '@jest/globals';
import { canonicalPermission, isPermission, permits } from './permissions.js';

describe('permissions', () => {
  it.each([
    ['BankAccountTransactionWrite', 'bank-account-transaction:write'],
    ['CustomerRead', 'customer:read'],
    ['PaymentMethodAdd', 'payment-method:add'],
    ['customer:write', 'customer:write'],
    ['operator', 'operator'],
    ['nonsense', 'nonsense'],
  ])('%s is %s', (spelling, canonical) => expect(canonicalPermission(spelling)).toBe(canonical));

  it.each([
    [['*'], 'invoice:write', true],
    [['*'], 'operator', false],
    [['*', 'operator'], 'operator', true],
    [['invoice:read'], 'invoice:write', false],
    [['invoice:write'], 'invoice:read', false],
    [['payment-method:write'], 'payment-method:add', true],
    [['payment-method:add'], 'payment-method:write', false],
    [['payment-method:add'], 'payment-method:add', true],
    [[], 'invoice:read', false],
  ])('%j permits %s: %s', (granted, required, expected) => expect(permits(granted, required)).toBe(expected));

  it('a key can be given known permissions only', () => {
    expect(
      ['*', 'operator', 'invoice:read', 'BankAccountTransactionRead', 'payment-method:add'].every(isPermission),
    ).toBe(true);
    expect(['invoice:admin', 'root', '', 5, null].some(isPermission)).toBe(false);
  });
});
