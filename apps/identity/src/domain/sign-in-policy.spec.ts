import { expect, it } from '@jest/globals';
import { refusalOfSignIn } from './sign-in-policy.js';

it('a tenant takes the sign-ins that it asks for', () => {
  const strict = { passwordAllowed: false, secondFactorRequired: true };
  const open = { passwordAllowed: true, secondFactorRequired: false };
  expect(refusalOfSignIn(null, ['password'])).toBeNull();
  expect(refusalOfSignIn(null, ['company'])).toBe('company_sign_in_required');
  expect(refusalOfSignIn(open, ['password'])).toBeNull();
  expect(refusalOfSignIn(open, ['company'])).toBeNull();
  expect(refusalOfSignIn(strict, ['password', 'totp'])).toBe('company_sign_in_required');
  expect(refusalOfSignIn(strict, ['company'])).toBe('second_factor_missing');
  expect(refusalOfSignIn(strict, ['company', 'company_mfa'])).toBeNull();
  expect(refusalOfSignIn(strict, ['company', 'totp'])).toBeNull();
  expect(refusalOfSignIn({ ...open, secondFactorRequired: true }, ['password'])).toBe('second_factor_missing');
  expect(refusalOfSignIn({ ...open, secondFactorRequired: true }, ['passkey'])).toBeNull();
});
