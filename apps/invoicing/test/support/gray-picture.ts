import { execFileSync } from 'node:child_process';
import { crc32, deflateSync, inflateSync } from 'node:zlib';

/** Shades of gray, row by row. */
export interface GrayPicture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/** The first page of a PDF. */
export function firstPage(pdf: string): GrayPicture {
  const drawn = execFileSync('pdftoppm', ['-r', '40', '-gray', '-f', '1', '-l', '1', pdf]);
  const [head, width, height] = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(drawn.toString('latin1', 0, 40)) ?? [];
  if (!head) throw new Error('pdftoppm drew something else');
  return { width: Number(width), height: Number(height), pixels: drawn.subarray(head.length) };
}

/** As a PNG file of the plainest form, for people to look at. @see RFC 2083 */
export function pngOf({ width, height, pixels }: GrayPicture): Buffer {
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++) rows.set(pixels.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 8;
  const data = deflateSync(rows, { level: 9 });
  return Buffer.concat([MAGIC, chunk('IHDR', head), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}

const MAGIC = Buffer.from('89504e470d0a1a0a', 'hex');

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/** What {@link pngOf} has written. */
export function readPng(file: Buffer): GrayPicture {
  const [width, height] = [file.readUInt32BE(16), file.readUInt32BE(20)];
  const rows = inflateSync(file.subarray(41, 41 + file.readUInt32BE(33)));
  const pixels = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) pixels.set(rows.subarray(y * (width + 1) + 1, (y + 1) * (width + 1)), y * width);
  return { width, height, pixels };
}

/** Pixels a side of what is compared: smaller differences come from how a renderer smooths letters. */
const TILE = 8;

/** Where two pictures differ visibly: tiles whose mean shade differs by more than a tenth. */
export function differences(a: GrayPicture, b: GrayPicture): string[] {
  if (a.width !== b.width || a.height !== b.height) return ['another size'];
  const found: string[] = [];
  for (let top = 0; top < a.height; top += TILE)
    for (let left = 0; left < a.width; left += TILE)
      if (Math.abs(meanOf(a, left, top) - meanOf(b, left, top)) > 25) found.push(`at ${left}, ${top}`);
  return found;
}

function meanOf({ width, height, pixels }: GrayPicture, left: number, top: number): number {
  let sum = 0;
  let count = 0;
  for (let y = top; y < Math.min(top + TILE, height); y++)
    for (let x = left; x < Math.min(left + TILE, width); x++, count++) sum += pixels[y * width + x] ?? 0;
  return sum / count;
}
