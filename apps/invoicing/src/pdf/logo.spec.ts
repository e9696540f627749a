import { describe, expect, it } from '@jest/globals';
import { readLogo } from './logo.js';

/** A JPEG of nothing but its head. */
const jpeg = (width: number, height: number, { bits = 8, colours = 3 } = {}): string => {
  const head = Buffer.from('ffd8ffc00011080000000003012200021101031101ffd9', 'hex');
  head.set([bits, height >> 8, height & 255, width >> 8, width & 255, colours], 6);
  return `data:image/jpeg;base64,${head.toString('base64')}`;
};

describe('a logo as JPEG', () => {
  it.each([
    [300, 80],
    [301, 81],
    [302, 82],
  ])('is read, however small its file is: %i × %i', async (width, height) =>
    expect(await readLogo(jpeg(width, height))).toMatchObject({ width, height }),
  );

  it.each([
    ['has no width', jpeg(0, 80)],
    ['has no height', jpeg(300, 0)],
    ['has twelve bits for each colour', jpeg(300, 80, { bits: 12 })],
    ['is for a press', jpeg(300, 80, { colours: 4 })],
  ])('is none that %s', async (_what, address) => expect(await readLogo(address)).toBeNull());
});
