import { describe, expect, it } from '@jest/globals';
import { hasAtMost } from './text-length.js';

describe('hasAtMost', () => {
  it('counts characters, not their units', () => {
    expect(hasAtMost('ab', 2)).toBe(true);
    expect(hasAtMost('😀😀', 2)).toBe(true);
    expect(hasAtMost('abc', 2)).toBe(false);
    expect(hasAtMost('😀😀a', 2)).toBe(false);
    expect(hasAtMost('😀'.repeat(3), 2)).toBe(false);
    expect(hasAtMost('', 0)).toBe(true);
  });
});
