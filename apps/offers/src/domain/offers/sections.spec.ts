import { describe, expect, it } from '@jest/globals';
import { isSection } from './sections.js';

describe('a block of an offer', () => {
  it.each([
    ['a title of 255 letters', { type: 'text', title: 'a'.repeat(255) }, true],
    ['a title of 255 characters of two units each', { type: 'text', title: '😀'.repeat(255) }, true],
    ['a title of 256 of them', { type: 'text', title: '😀'.repeat(256) }, false],
    ['a number as title', { type: 'text', title: 7 }, false],
    ['an unknown type', { type: 'song' }, false],
    ['no value', undefined, false],
  ])('%s', (_, block, expected) => {
    expect(isSection(block)).toBe(expected);
  });
});
