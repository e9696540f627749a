import { pngSize } from '@kontor/kernel';
import { PngEmbedder } from 'pdf-lib';

const MAX_PIXELS = 4_000_000;

/** A picture to be put into a file. @throws Error for what is no PNG, or would take too much to be unpacked. */
export async function readPng(bytes: Uint8Array): Promise<PngEmbedder> {
  const size = pngSize(bytes);
  if (!size || size.width * size.height > MAX_PIXELS) throw new Error('the picture cannot be shown');
  return PngEmbedder.for(bytes);
}
