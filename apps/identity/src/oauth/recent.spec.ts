import { describe, expect, it } from '@jest/globals';
import { Recent } from './recent.js';

describe('what was read a moment ago', () => {
  let now = 0;
  let reads = 0;
  const recent = new Recent<number>(500, () => now);
  const read = () => Promise.resolve(++reads);

  it('is read once for all who ask within its life, and again afterwards', async () => {
    expect(await Promise.all([recent.get('a', read), recent.get('a', read)])).toEqual([1, 1]);
    now = 499;
    expect(await recent.get('a', read)).toBe(1);
    now = 500;
    expect(await recent.get('a', read)).toBe(2);
  });

  it('is read again once it is forgotten, also while it is being read', async () => {
    let finish: (value: number) => void = () => undefined;
    const slow = recent.get('b', () => new Promise((resolve) => (finish = resolve)));
    recent.forget('b');
    const anew = recent.get('b', () => Promise.resolve(20));
    finish(10);
    expect(await Promise.all([slow, anew, recent.get('b', () => Promise.resolve(30))])).toEqual([10, 20, 20]);
  });

  it('is not kept where there is nothing, or where it cannot be read', async () => {
    expect(await recent.get('c', () => Promise.resolve(undefined))).toBeUndefined();
    await expect(recent.get('c', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await recent.get('c', () => Promise.resolve(7))).toBe(7);
  });
});
