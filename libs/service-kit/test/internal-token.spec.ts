import { createHmac } from 'node:crypto';
import { newUuid } from '@kontor/kernel';
import { apiKeyPrincipal } from '@kontor/testing';
import { describe, expect, it } from '@jest/globals';
import { InternalTokens } from '../src/index.js';

const SECRET = 'only-for-tests';
const principal = apiKeyPrincipal(newUuid());

/** A token as a machine signs it whose clock differs by so many seconds; it is half as old as it is sent at most. */
function signedAt(differsBy: number, secret = SECRET): string {
  const now = Math.floor(Date.now() / 1000) + differsBy;
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ p: principal, iat: now - 30, exp: now + 30 })}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

describe("the gateway's word for a caller", () => {
  const tokens = new InternalTokens(SECRET);

  it.each([-600, -300, 0, 300, 3_600])('counts where clocks differ by %d seconds', (seconds) => {
    expect(tokens.verify(signedAt(seconds))).toEqual(principal);
    expect(tokens.verify(tokens.sign(principal))).toEqual(principal);
  });

  it.each([-3_600, 3_600])('is made anew at once by a machine whose clock is set by %d seconds', (seconds) => {
    const machine = new InternalTokens(SECRET);
    const real = Date.now;
    try {
      const before = machine.sign(principal);
      expect(machine.sign(principal)).toBe(before);
      Date.now = () => real() + seconds * 1_000;
      const after = machine.sign(principal);
      expect(after).not.toBe(before);
      expect(machine.verify(after)).toEqual(principal);
    } finally {
      Date.now = real;
    }
  });

  it('is made anew after half a minute by the clock that is never set, too', () => {
    const machine = new InternalTokens(SECRET);
    const [real, passing] = [Date.now, performance.now];
    try {
      Date.now = () => real() + 3_600_000;
      const ahead = machine.sign(principal);
      performance.now = () => passing.call(performance) + 30_000;
      Date.now = () => real() + 3_602_000;
      expect(machine.sign(principal)).not.toBe(ahead);
    } finally {
      [Date.now, performance.now] = [real, passing];
    }
  });

  it('does not for ever, and not of anybody else', () => {
    expect(() => tokens.verify(signedAt(-660))).toThrow(expect.objectContaining({ reason: 'not_trusted' }));
    expect(() => tokens.verify(signedAt(0, 'another'))).toThrow(expect.objectContaining({ reason: 'not_trusted' }));
  });
});
