import { pngSize, unpacksToSize } from '@kontor/kernel';
import { PngEmbedder } from 'pdf-lib';

/** Four million pixels of 8 bits, two of 16. */
const MAX_BYTES = 16_000_000;

/** A picture to be put into a file. @throws Error for what is no PNG, or would take too much to be unpacked. */
export async function readPng(bytes: Uint8Array): Promise<PngEmbedder> {
  const size = pngSize(bytes);
  if (!size || size.bytes > MAX_BYTES || !unpacksToSize(size)) throw new Error('the picture cannot be shown');
  return PngEmbedder.for(bytes);
}
