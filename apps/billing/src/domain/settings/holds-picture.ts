import { pngSize } from '@kontor/kernel';

/** By the type that a data address names; within an SVG anything may come before its element. */
const KINDS: Readonly<Record<string, (bytes: Buffer) => boolean>> = {
  png: (bytes) => pngSize(bytes) !== null && bytes.includes('IEND'),
  jpeg: (bytes) => bytes.indexOf('ffd8ff', 0, 'hex') === 0 && bytes.includes('ffd9', 3, 'hex'),
  webp: (bytes) => bytes.toString('latin1', 8, 12) === 'WEBP' && bytes.readUInt32LE(4) + 8 <= bytes.length,
  'svg+xml': (bytes) => /<(\w+:)?svg[\s/>]/.test(bytes.toString()),
};

const ADDRESS = /^data:image\/([a-z+]+);base64,/;

/** Whether a data address holds a whole picture of the type that it names. */
export function holdsPicture(address: string): boolean {
  const [head, type = ''] = ADDRESS.exec(address) ?? [];
  return head !== undefined && KINDS[type]?.(Buffer.from(address.slice(head.length), 'base64')) === true;
}
