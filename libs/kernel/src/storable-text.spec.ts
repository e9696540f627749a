import { describe, expect, it } from '@jest/globals';
import { storable, storableText } from './storable-text.js';

describe('texts that PostgreSQL can keep', () => {
  it('have no character 0 and no half of a pair', () => {
    expect(storable('a\0b\ud83dc\ude00d😀')).toBe('a�b�c�d😀');
  });

  it('are cut between characters', () => {
    expect(storableText('😀😀', 3)).toBe('😀');
    expect(storableText('😀😀', 4)).toBe('😀😀');
    expect(storableText('a😀', 1)).toBe('a');
    expect(storableText('abc', 9)).toBe('abc');
  });
});
