import { deflateSync } from 'node:zlib';
import { expect, it } from '@jest/globals';
import { isDrawing } from './drawing.js';

/** A PNG that says how large it is. */
function drawing(width: number, height: number, bits = 8, unpacked = 1000): string {
  const bytes = Buffer.alloc(33);
  bytes.set(Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'));
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  bytes.set([bits, 6], 24);
  const data = deflateSync(Buffer.alloc(unpacked));
  const head = Buffer.alloc(8);
  head.writeUInt32BE(data.length);
  head.write('IDAT', 4, 'latin1');
  const file = Buffer.concat([bytes, head, data, Buffer.alloc(8), Buffer.from('IEND'), Buffer.alloc(4)]);
  return `data:image/png;base64,${file.toString('base64')}`;
}

it.each([
  ['as the page makes it', drawing(900, 300), true],
  ['for a dense display', drawing(1800, 600), true],
  ['too wide', drawing(2001, 10), false],
  ['without a height', drawing(10, 0), false],
  ['too many pixels', drawing(2000, 1001), false],
  ['pixels of 16 bits: 32 MB, and three times as much while it is read', drawing(2000, 2000, 16), false],
  ['lines that are a thousand times as many as it says', drawing(300, 100, 8, 120_000_000), false],
  ['no picture', 'data:image/png;base64,iVBORw0KGgoA', false],
])('a drawing is accepted by what it takes to be read: %s', (_what, text, expected) =>
  expect(isDrawing(text)).toBe(expected),
);
