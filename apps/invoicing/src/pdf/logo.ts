import { type JpegEmbedder, PDFContext, type PDFObject, type PDFRef, type PngEmbedder } from 'pdf-lib';
import { readJpeg } from './read-jpeg.js';
import { readPng } from './read-png.js';
import { WrittenObject } from './written-object.js';

/** A seller's logo, read once for all documents of this thread. */
export interface Logo {
  readonly width: number;
  readonly height: number;
  /** The objects of a file that are the picture, the first of which shows it; they are numbered from `first`. */
  readonly objectsFrom: (first: number) => Promise<readonly (readonly [PDFRef, PDFObject])[]>;
}

const KEPT = 100;
const DATA = /^data:image\/(png|jpeg);base64,/;
const known = new Map<string, Promise<Logo | null>>();

/** Null for what cannot be shown in a PDF: another kind of picture, a broken one, or one of too many pixels. */
export function readLogo(address: string | null | undefined): Promise<Logo | null> {
  if (!address) return Promise.resolve(null);
  let logo = known.get(address);
  if (!logo) {
    if (known.size >= KEPT) known.clear();
    known.set(address, (logo = read(address).catch(() => null)));
  }
  return logo;
}

async function read(address: string): Promise<Logo | null> {
  const kind = DATA.exec(address)?.[1];
  if (kind === undefined) return null;
  const bytes = Buffer.from(address.slice(address.indexOf(',') + 1), 'base64');
  const embedder = kind === 'png' ? await readPng(bytes) : await readJpeg(bytes);
  // What the inks of a press are is said nowhere in the file.
  if (String(embedder.colorSpace) === 'DeviceCMYK') return null;
  const written = new Map<number, Promise<readonly (readonly [PDFRef, PDFObject])[]>>();
  return {
    width: embedder.width,
    height: embedder.height,
    objectsFrom: (first) => {
      let objects = written.get(first);
      if (!objects) written.set(first, (objects = write(embedder, first)));
      return objects;
    },
  };
}

async function write(
  embedder: PngEmbedder | JpegEmbedder,
  first: number,
): Promise<readonly (readonly [PDFRef, PDFObject])[]> {
  const context = PDFContext.create();
  context.largestObjectNumber = first - 1;
  await embedder.embedIntoContext(context, context.nextRef());
  return context.enumerateIndirectObjects().map(([ref, object]) => [ref, WrittenObject.of(object)] as const);
}
