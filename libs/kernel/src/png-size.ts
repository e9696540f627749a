import { inflateSync } from 'node:zlib';

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const HEADER = 'IHDR';
const DATA = 'IDAT';
const ANIMATION = new Set(['acTL', 'fcTL', 'fdAT']);
/** Length, type and check sum. */
const AROUND = 12;

/** By the colour type of a header: values for each pixel. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
/** Readers make one byte each of red, green, blue and opacity, whatever the file has. */
const READ_AS = 4;

export interface PngSize {
  readonly width: number;
  readonly height: number;
  /** As a reader has it in memory, as it is in the file or as it is made of that, whichever is larger. */
  readonly bytes: number;
  /** Its lines, as they are packed. */
  readonly data: Uint8Array;
}

/**
 * What a PNG takes to be unpacked, which its number of bytes does not show. Null for what is none, for an animation, of which each
 * picture is as large, for a picture without a pixel, and where there are two headers: readers believe the last one.
 */
export function pngSize(bytes: Uint8Array): PngSize | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 26 || SIGNATURE.some((byte, n) => bytes[n] !== byte)) return null;
  const data: Uint8Array[] = [];
  for (let at = SIGNATURE.length; at + 8 <= bytes.length; at += AROUND + view.getUint32(at)) {
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if ((type === HEADER) !== (at === SIGNATURE.length) || ANIMATION.has(type)) return null;
    if (type === DATA) data.push(bytes.subarray(at + 8, at + 8 + view.getUint32(at)));
  }
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  if (width === 0 || height === 0) return null;
  const inFile = (view.getUint8(24) * (CHANNELS[view.getUint8(25)] ?? 4)) / 8;
  return { width, height, bytes: width * height * Math.max(READ_AS, inFile), data: Buffer.concat(data) };
}

/** Whether its lines are no more than its size says, in any order of them: a small file may unpack to a thousand times as much. */
export function unpacksToSize({ height, bytes, data }: PngSize): boolean {
  try {
    inflateSync(data, { maxOutputLength: 2 * (bytes + height) + 1024 });
    return true;
  } catch {
    return false;
  }
}
