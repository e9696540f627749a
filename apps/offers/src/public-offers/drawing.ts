import { pngSize, unpacksToSize } from '@kontor/kernel';

/** Characters of a drawing as PNG; larger ones are no signatures. */
export const MAX_DRAWING = 200_000;
/** Pixels a side: a small file can say that it is large. */
export const MAX_SIDE = 2000;
/** In the memory of who puts it on the signed offer, with those of all others: two million pixels of 8 bits. */
const MAX_BYTES = 8_000_000;
const PNG = /^data:image\/png;base64,iVBORw0KGgo[A-Za-z0-9+/]+={0,2}$/;

function isSmallPicture(dataUrl: string): boolean {
  const size = pngSize(Buffer.from(dataUrl.slice(dataUrl.indexOf(',') + 1), 'base64'));
  const sides = size === null ? [] : [size.width, size.height];
  const isSmall = sides.every((side) => side <= MAX_SIDE) && (size?.bytes ?? 0) <= MAX_BYTES;
  return size !== null && isSmall && unpacksToSize(size);
}

/** Whether a text is a drawing within bounds. */
export const isDrawing = (text: string): boolean =>
  text.length <= MAX_DRAWING && PNG.test(text) && isSmallPicture(text);
