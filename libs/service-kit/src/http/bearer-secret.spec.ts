import { describe, expect, it } from '@jest/globals';
import { familyOf, isBearerSecret, newBearerSecret } from './bearer-secret.js';

describe('bearer secrets', () => {
  it.each(['api_', 'cus_', 'cur_'] as const)('%s: a new one is recognized, and no two are alike', (prefix) => {
    const secrets = Array.from({ length: 100 }, () => newBearerSecret(prefix));
    expect(secrets.every((secret) => secret.startsWith(prefix) && isBearerSecret(secret))).toBe(true);
    expect(new Set(secrets).size).toBe(100);
  });

  it('one that differs in any character is none', () => {
    const secret = newBearerSecret('api_');
    for (let at = 0; at < secret.length; at++) {
      const other = secret[at] === 'a' ? 'b' : 'a';
      expect(isBearerSecret(secret.slice(0, at) + other + secret.slice(at + 1))).toBe(false);
    }
  });

  it('may be of the family of the one whose place it takes', () => {
    const first = newBearerSecret('urt_');
    const second = newBearerSecret('urt_', familyOf(first));
    expect(isBearerSecret(second)).toBe(true);
    expect(second).not.toBe(first);
    expect(familyOf(second)).toEqual(familyOf(first));
    expect(familyOf(newBearerSecret('urt_'))).not.toEqual(familyOf(first));
  });

  it.each(['', 'api_', 'cus_nothing', 'ey.ey.ey', `api_${'x'.repeat(50)}`, ' ' + newBearerSecret('api_')])(
    '%j is none',
    (text) => expect(isBearerSecret(text)).toBe(false),
  );
});
