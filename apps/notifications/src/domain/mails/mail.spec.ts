import { describe, expect, it } from '@jest/globals';
import { nextAttempt, withoutAddresses } from './mail.js';

const now = new Date('2026-03-02T09:00:00.000Z');

describe('a mail that could not be sent', () => {
  it.each([
    [1, '2026-03-02T09:01:00.000Z'],
    [2, '2026-03-02T09:05:00.000Z'],
    [6, '2026-03-02T21:00:00.000Z'],
  ])('is tried again after attempt %d at %s', (attempts, at) =>
    expect(nextAttempt(attempts, false, now)?.toISOString()).toBe(at),
  );

  it('is given up after the seventh attempt, and at once when it was refused for good', () => {
    expect(nextAttempt(7, false, now)).toBeNull();
    expect(nextAttempt(1, true, now)).toBeNull();
  });

  it('is named in the log without whom it was for', () =>
    expect(withoutAddresses('550 5.1.1 <max@kunde.example>: Recipient max@kunde.example unknown')).toBe(
      '550 5.1.1 <…>: Recipient … unknown',
    ));
});
