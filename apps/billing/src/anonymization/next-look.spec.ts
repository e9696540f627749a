import { describe, expect, it } from '@jest/globals';
import { nextLook } from './next-look.js';

const at = (text: string): Date => new Date(`2026-03-${text}Z`);
const begunAt = at('01T12:00:00');

describe('how often services are asked for what they have of an anonymized customer', () => {
  it.each([
    ['01T12:00:00', '01T12:00:00.250'],
    ['01T12:00:08', '01T12:00:10'],
    ['01T13:00:00', '01T13:01:00'],
  ])('not done at %s: at %s', (now, next) =>
    expect(nextLook({ begunAt, completedAt: null }, at(now))).toEqual(at(next)),
  );

  it('daily once it is done, until the log of events has forgotten what was before', () => {
    const done = { begunAt, completedAt: at('01T12:00:05') };
    expect(nextLook(done, at('01T12:00:05'))).toEqual(at('02T12:00:05'));
    expect(nextLook(done, new Date('2026-04-02T12:00:00Z'))).toEqual(new Date('2026-04-03T12:00:00Z'));
    expect(nextLook(done, new Date('2026-04-03T12:00:00Z'))).toBeNull();
  });
});
