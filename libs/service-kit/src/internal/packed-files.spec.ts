import { describe, expect, it } from '@jest/globals';
import { packFiles, unpackFiles } from './packed-files.js';

describe('packed files', () => {
  it('are what was packed, whatever bytes they have', () => {
    const files = new Map([
      ['a', Buffer.from('\n[]\n')],
      ['b', Buffer.alloc(0)],
      ['c', Buffer.from([0, 255, 10])],
    ]);
    expect(unpackFiles(packFiles(files))).toEqual(files);
    expect(unpackFiles(packFiles(new Map()))).toEqual(new Map());
  });

  it('that were cut off are refused', () => {
    expect(() => unpackFiles(packFiles(new Map([['a', Buffer.from('abc')]])).subarray(0, -1))).toThrow('as long as');
  });
});
