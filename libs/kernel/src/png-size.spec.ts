import { deflateSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { pngSize, unpacksToSize } from './png-size.js';

const chunk = (type: string, data: Buffer): Buffer => {
  const around = Buffer.alloc(8);
  around.writeUInt32BE(data.length);
  around.write(type, 4, 'latin1');
  return Buffer.concat([around, data, Buffer.alloc(4)]);
};
const header = (width: number, height: number, bits = 8, colours = 6): Buffer => {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width);
  data.writeUInt32BE(height, 4);
  data.set([bits, colours], 8);
  return chunk('IHDR', data);
};
const png = (...chunks: Buffer[]): Buffer => Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks]);
const end = [chunk('IDAT', Buffer.alloc(5)), chunk('IEND', Buffer.alloc(0))];

describe('the size of a PNG', () => {
  it('is what its header says', () =>
    expect(pngSize(png(header(300, 20), ...end))).toMatchObject({ width: 300, height: 20, bytes: 24_000 }));

  it.each([
    ['of 16 bits', 16, 6, 8],
    ['gray of 16 bits', 16, 0, 4],
    ['of two colours', 1, 3, 4],
  ])('is its size in memory: a picture %s', (_what, bits, colours, each) =>
    expect(pngSize(png(header(300, 20, bits, colours), ...end))?.bytes).toBe(6000 * each),
  );

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['a JPEG', Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), Buffer.alloc(40)])],
    ['something else first', png(chunk('tEXt', Buffer.alloc(13)), header(1, 1), ...end)],
    ['a second header', png(header(1, 1), header(20_000, 20_000), ...end)],
    ['a second header at the end', png(header(1, 1), ...end, header(20_000, 20_000))],
    ['a picture without width', png(header(0, 1), ...end)],
    ['a picture without height', png(header(1, 0), ...end)],
    ['an animation', png(header(2_000, 2_000), chunk('acTL', Buffer.alloc(8)), ...end)],
    ['pictures of an animation', png(header(2_000, 2_000), chunk('fcTL', Buffer.alloc(26)), ...end)],
  ])('is none of %s', (_what, bytes) => expect(pngSize(bytes)).toBeNull());
});

describe('the lines of a PNG', () => {
  const packed = (bytes: number): Buffer => deflateSync(Buffer.alloc(bytes));
  it.each([
    ['as many as it says', [packed(24_020)], true],
    ['in two parts', [packed(24_020).subarray(0, 9), packed(24_020).subarray(9)], true],
    ['a thousand times as many', [packed(24_020_000)], false],
    ['not packed', [Buffer.alloc(50)], false],
    ['none', [], false],
  ])('%s', (_what, parts, expected) => {
    const size = pngSize(
      png(header(300, 20), ...parts.map((part) => chunk('IDAT', part)), chunk('IEND', Buffer.alloc(0))),
    );
    expect(unpacksToSize(size!)).toBe(expected);
  });
});
