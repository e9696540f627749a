import { describe, expect, it } from '@jest/globals';
import { hashPassword, isPassword, NOBODYS_PASSWORD } from './password-hash.js';

const costOf = (stored: string): string => stored.split('$').slice(0, 4).join('$');

describe('a stored password', () => {
  it('is found again, however its letters are composed, and no other one', async () => {
    const stored = await hashPassword('Zw\u00f6lf Boxk\u00e4mpfer');
    expect(await isPassword('Zwo\u0308lf Boxka\u0308mpfer', stored)).toBe(true);
    expect(await isPassword('zw\u00f6lf Boxk\u00e4mpfer', stored)).toBe(false);
    expect(await hashPassword('Zw\u00f6lf Boxk\u00e4mpfer')).not.toBe(stored);
  });

  it('costs as much where there is none', async () => {
    expect(costOf(NOBODYS_PASSWORD)).toBe(costOf(await hashPassword('whatever it is')));
    expect(await isPassword('whatever it is', null)).toBe(false);
  });
});
