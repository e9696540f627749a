import { describe, expect, it } from '@jest/globals';
import { Bulkhead } from './bulkhead.js';

describe('a bulkhead', () => {
  it('runs so many at a time, lets so many wait, and refuses the rest', async () => {
    const bulkhead = new Bulkhead(2, 3);
    const release: (() => void)[] = [];
    let peak = 0;
    let running = 0;
    const work = async (): Promise<string> => {
      peak = Math.max(peak, ++running);
      await new Promise<void>((resolve) => release.push(resolve));
      running -= 1;
      return 'done';
    };
    const outcomes = Array.from({ length: 7 }, () =>
      bulkhead.run(work).catch((error: { reason: string }) => error.reason),
    );
    for (let done = 0; done < 5; done++) {
      while (release.length === 0) await new Promise((resolve) => setImmediate(resolve));
      release.shift()!();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await Promise.all(outcomes)).toEqual([...Array(5).fill('done'), 'service_overloaded', 'service_overloaded']);
    expect(peak).toBe(2);
  });

  it('a failure frees its place', async () => {
    const bulkhead = new Bulkhead(1, 0);
    await expect(bulkhead.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await bulkhead.run(async () => 'yes')).toBe('yes');
  });
});
