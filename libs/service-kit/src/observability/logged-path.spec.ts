import { describe, expect, it } from '@jest/globals';
import { loggedPath } from './logged-path.js';

describe('the path in logs', () => {
  it.each([
    ['/public/payments/AbCdEfGhIjKlMnOpQrStUv', '/public/payments/AbCd…'],
    ['/public/payments/AbCdEfGhIjKlMnOpQrStUv/return?x=1', '/public/payments/AbCd…/return'],
    ['/public/customer/login/kJ0n7hQ0yq9m2m0m5n1w7y', '/public/customer/login/kJ0n…'],
    ['/public/account/reset/abcdefghij0klmnopqrstuv', '/public/account/reset/abcd…'],
    [
      '/public/checkout/cart/0190a000-0000-7000-8000-a0c596d6f426/change-quantity',
      '/public/checkout/cart/0190…/change-quantity',
    ],
    ['/oauth2/interaction/Zr8mX2kq4vB7nT1sJ5wY0d/link/kJ0n7hQ0yq9m2m0m5n1w7y', '/oauth2/interaction/Zr8m…/link/kJ0n…'],
    ['/public/users/request-password-reset', '/public/users/request-password-reset'],
    ['/public/scripts/checkout-page-elements.js', '/public/scripts/checkout-page-elements.js'],
    ['/customers/0190a000-0000-7000-8000-737501b54239?search=x', '/customers/0190a000-0000-7000-8000-737501b54239'],
  ])('%s is %s', (url, logged) => expect(loggedPath(url)).toBe(logged));
});
