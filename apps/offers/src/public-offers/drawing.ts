import { pngSize } from '@kontor/kernel';

/** Characters of a drawing as PNG; larger ones are no signatures. */
export const MAX_DRAWING = 200_000;
/** Pixels a side: a small file can say that it is large. */
export const MAX_SIDE = 2000;
const PNG = /^data:image\/png;base64,iVBORw0KGgo[A-Za-z0-9+/]+={0,2}$/;

function isSmallPicture(dataUrl: string): boolean {
  const size = pngSize(Buffer.from(dataUrl.slice(dataUrl.indexOf(',') + 1), 'base64'));
  return size !== null && [size.width, size.height].every((side) => side > 0 && side <= MAX_SIDE);
}

/** Whether a text is a drawing within bounds. */
export const isDrawing = (text: string): boolean =>
  text.length <= MAX_DRAWING && PNG.test(text) && isSmallPicture(text);
