import { describe, expect, it } from '@jest/globals';
import { AdaptiveLimit } from './adaptive-limit.js';

/** A service with so many connections, each busy for `workMs` with a request, that is always asked for as much as may be. */
function settle(limit: AdaptiveLimit, connections: number, workMs: number, clock: { now: number }): number {
  for (let round = 0; round < 2_000; round++) {
    clock.now += workMs / connections;
    limit.observe(Math.max(0, (limit.current / connections - 1) * workMs));
  }
  return limit.current;
}

describe('an adaptive limit', () => {
  const clock = { now: 0 };
  const start = (): AdaptiveLimit => new AdaptiveLimit(64, 16, () => clock.now);

  it('falls until hardly anything waits in the service, and never below the least', () => {
    expect(settle(start(), 4, 8, clock)).toBeLessThanOrEqual(20);
    expect(settle(start(), 4, 80, clock)).toBe(16);
  });

  it('stays where the service keeps up', () => {
    expect(settle(start(), 64, 500, clock)).toBe(64);
    expect(settle(start(), 32, 10, clock)).toBe(64);
  });

  it('is back when nothing waits any more', () => {
    const limit = start();
    settle(limit, 4, 80, clock);
    for (let n = 0; n < 300; n++) {
      clock.now += 10;
      limit.observe(0);
    }
    expect(limit.current).toBe(64);
  });

  it('takes a few slow ones for no sign', () => {
    const limit = start();
    for (let n = 0; n < 1_000; n++) {
      clock.now += 5;
      limit.observe(n % 3 === 0 ? 900 : 0);
    }
    expect(limit.current).toBe(64);
  });
});
