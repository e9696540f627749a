import { JpegEmbedder } from 'pdf-lib';

/** A picture to be put into a file, as it is. @throws Error for what is no JPEG, has no size, or has more colours than a PDF shows. */
export async function readJpeg(bytes: Uint8Array): Promise<JpegEmbedder> {
  // The library reads from the beginning of the memory that the bytes lie in, which small ones share with others.
  const picture = await JpegEmbedder.for(Uint8Array.from(bytes));
  if (picture.width === 0 || picture.height === 0 || picture.bitsPerComponent !== 8)
    throw new Error('the picture cannot be shown');
  return picture;
}
