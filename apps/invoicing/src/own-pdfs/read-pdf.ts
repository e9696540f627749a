import { PDFArray, PDFDict, PDFDocument, PDFName, type PDFObject, PDFStream } from 'pdf-lib';
import { MAX_PAGES, PdfRefused } from './pdf-refused.js';

/** Actions that run something, send something, or open other files. */
const ACTIVE = new Set([
  'JavaScript',
  'Launch',
  'ImportData',
  'SubmitForm',
  'GoToE',
  'GoToR',
  'Thread',
  'Rendition',
  'RichMediaExecute',
]);
const ACTIVE_KEYS = ['JS', 'JavaScript', 'XFA'].map((name) => PDFName.of(name));
const ACTIVE_SUBTYPES = new Set(['RichMedia', 'Movie', 'Sound', '3D']);

/**
 * A PDF of another system, found fit to be the file of a document: it can be read, has pages, and does nothing by itself.
 * @throws PdfRefused
 */
export async function readPdf(bytes: Uint8Array): Promise<PDFDocument> {
  if (!Buffer.from(bytes.subarray(0, 1024)).includes('%PDF-')) throw new PdfRefused('no_pdf', 'The file is no PDF.');
  const pdf = await load(bytes);
  const pages = countPages(pdf);
  if (pages === 0) throw new PdfRefused('no_pages', 'The PDF has no pages.');
  if (pages > MAX_PAGES)
    throw new PdfRefused('too_many_pages', `The PDF has ${pages} pages; at most ${MAX_PAGES} are accepted.`);
  if (dictionariesOf(pdf).some(isActive))
    throw new PdfRefused('active_content', 'The PDF contains scripts, actions or media; a document must not.');
  return pdf;
}

/** Whether adding something to it would break a signature. */
export const isSigned = (pdf: PDFDocument): boolean =>
  dictionariesOf(pdf).some((dict) => nameIn(dict, 'Type') === 'Sig' || dict.has(PDFName.of('ByteRange')));

async function load(bytes: Uint8Array): Promise<PDFDocument> {
  const options = { updateMetadata: false, parseSpeed: Infinity, ignoreEncryption: true };
  const pdf = await PDFDocument.load(bytes, options).catch(() => {
    throw new PdfRefused('unreadable', 'The PDF cannot be read.');
  });
  if (pdf.isEncrypted) throw new PdfRefused('encrypted', 'The PDF is encrypted.');
  return pdf;
}

/** By walking the tree: what the file says about its number may be anything. */
function countPages(pdf: PDFDocument): number {
  const seen = new Set<PDFObject>();
  const open: unknown[] = [pdf.context.lookup(pdf.context.trailerInfo.Root)].map((catalog) =>
    catalog instanceof PDFDict ? catalog.lookup(PDFName.of('Pages')) : undefined,
  );
  let pages = 0;
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (!(node instanceof PDFDict) || seen.has(node)) continue;
    seen.add(node);
    const kids = node.lookup(PDFName.of('Kids'));
    if (kids instanceof PDFArray) for (let i = 0; i < kids.size(); i++) open.push(kids.lookup(i));
    else if (nameIn(node, 'Type') === 'Page') pages += 1;
  }
  return pages;
}

/** All of them, also those inside others. */
function dictionariesOf(pdf: PDFDocument): PDFDict[] {
  const found: PDFDict[] = [];
  const open: PDFObject[] = pdf.context.enumerateIndirectObjects().map(([, object]) => object);
  for (let object = open.pop(); object; object = open.pop()) {
    const inner = object instanceof PDFStream ? object.dict : object;
    if (inner instanceof PDFArray) for (const item of inner.asArray()) open.push(item);
    if (!(inner instanceof PDFDict)) continue;
    found.push(inner);
    for (const value of inner.values()) open.push(value);
  }
  return found;
}

const isActive = (dict: PDFDict): boolean =>
  ACTIVE_KEYS.some((key) => dict.has(key)) ||
  ACTIVE.has(nameIn(dict, 'S') ?? '') ||
  ACTIVE_SUBTYPES.has(nameIn(dict, 'Subtype') ?? '');

function nameIn(dict: PDFDict, key: string): string | null {
  const value = dict.lookup(PDFName.of(key));
  return value instanceof PDFName ? value.decodeText() : null;
}
