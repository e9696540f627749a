import { describe, expect, it } from '@jest/globals';
import { holdsPicture } from './holds-picture.js';

const address = (type: string, bytes: Buffer | string): string =>
  `data:image/${type};base64,${Buffer.from(bytes).toString('base64')}`;

/** One pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M/wHwAEBgIApD5fRAAAAABJRU5ErkJggg==',
  'base64',
);
const JPEG = Buffer.from('ffd8ffe000104a46494600ffd9', 'hex');
const WEBP = Buffer.from('524946460400000057454250', 'hex');

describe('a data address', () => {
  it.each([
    ['a PNG', address('png', PNG)],
    ['a JPEG', address('jpeg', JPEG)],
    ['a WebP', address('webp', WEBP)],
    ['an SVG', address('svg+xml', '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ])('holds %s', (_what, of) => expect(holdsPicture(of)).toBe(true));

  it.each([
    ['a PNG that was cut off', address('png', PNG.subarray(0, -12))],
    ['the beginning of a PNG', address('png', PNG.subarray(0, 8))],
    ['a JPEG that was cut off', address('jpeg', JPEG.subarray(0, -2))],
    ['a WebP that was cut off', address('webp', WEBP.subarray(0, -1))],
    ['another file of the kind of WebP', address('webp', Buffer.from('524946460400000041564920', 'hex'))],
    ['text', address('svg+xml', 'svg')],
    ['a picture of another type than it says', address('jpeg', PNG)],
    ['another type', address('gif', PNG)],
    ['nothing', ''],
  ])('holds no picture: %s', (_what, of) => expect(holdsPicture(of)).toBe(false));
});
