import { describe, expect, it } from '@jest/globals';
import { SpentTime } from './spent-time.js';

describe('spent time', () => {
  it('adds up for each owner, and counts less as time passes', () => {
    let now = 0;
    const spent = new SpentTime(() => now);
    spent.add('a', 8_000);
    expect([spent.of('a'), spent.of('b')]).toEqual([8_000, 0]);
    now = 60_000;
    spent.add('a', 1_000);
    spent.add('b', 500);
    expect([spent.of('a'), spent.of('b')]).toEqual([5_000, 500]);
    now = 120_000;
    expect([spent.of('a'), spent.of('b')]).toEqual([2_500, 250]);
  });
});
