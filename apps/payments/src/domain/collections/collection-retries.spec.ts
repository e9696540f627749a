import { describe, expect, it } from '@jest/globals';
import { isFinal, nextRetry } from './collection-retries.js';

describe('when a declined collection is tried again', () => {
  const first = new Date('2026-03-01T10:00:00.000Z');
  const days = (attempts: number, schedule: number[]): number | null => {
    const at = nextRetry({ attempts, firstFailedAt: first }, schedule);
    return at === null ? null : (at.getTime() - first.getTime()) / 86_400_000;
  };

  it.each([
    [1, [3, 5, 7], 3],
    [2, [3, 5, 7], 5],
    [3, [3, 5, 7], 7],
    [4, [3, 5, 7], null],
    [1, [], null],
    [1, [7, 3], 3],
    [2, [3, 3, 7], 7],
  ])('after %d failures with the schedule %j: day %s after the first one', (attempts, schedule, day) => {
    expect(days(attempts, schedule)).toBe(day);
  });

  it.each([
    ['insufficient_funds', false],
    ['card_declined', false],
    ['AM04', false],
    ['stolen_card', true],
    ['expired_card', true],
    ['AC04', true],
    ['mandate_cancelled', true],
    ['payment_method_expired', true],
  ])('%s is final: %s', (reason, final) => expect(isFinal({ reason })).toBe(final));

  it('what the gateway says about it wins', () => {
    expect(isFinal({ reason: 'anything', final: true })).toBe(true);
    expect(isFinal({ reason: 'stolen_card', final: false })).toBe(false);
  });
});
