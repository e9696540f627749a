import { createHash } from 'node:crypto';
import {
  decodePDFRawStream,
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFHeader,
  PDFHexString,
  PDFName,
  type PDFObject,
  PDFRawStream,
  PDFString,
  PDFWriter,
} from 'pdf-lib';
import { NoEInvoice, UnreadableFile } from '../domain/e-invoice/reading/xml-node.js';
import { embedFile } from '../pdf/embed-file.js';
import { xmlOf } from '../pdf/xml-in-pdf.js';
import { type EmbeddedXml, pdfaPartOf, withXml } from '../pdf/xmp.js';
import { PdfRefused } from './pdf-refused.js';
import { isSigned, readPdf } from './read-pdf.js';

export interface ReceivedPdf {
  readonly bytes: Uint8Array;
  /** Which part of PDF/A the file says that it keeps; null when it says none. */
  readonly pdfaPart: string | null;
  /** Whether the e-invoice was put in here. */
  readonly embedded: boolean;
}

/** Objects that came packed are written out: a few kilobytes can become a hundred megabytes. */
const MAX_WRITTEN = 40 * 1024 * 1024;

const AF = PDFName.of('AF');
const NAMES = PDFName.of('Names');
const FILES = PDFName.of('EmbeddedFiles');
const KIDS = PDFName.of('Kids');
const METADATA = PDFName.of('Metadata');

/**
 * A PDF of the tenant's own system as it is stored: checked, and with the e-invoice inside when there is one to embed. Another one is
 * refused also where nothing is embedded: a document has one.
 * Equal input gives equal bytes.
 * @throws PdfRefused
 */
export async function receivePdf(
  bytes: Uint8Array,
  xml: EmbeddedXml | null,
  day: string,
  embed = true,
): Promise<ReceivedPdf> {
  const pdf = await readPdf(bytes);
  const before = metadataOf(pdf);
  if (xml === null || hasSame(pdf, xml) || !embed) return { bytes, pdfaPart: pdfaPartOf(before), embedded: false };
  if (isSigned(pdf))
    throw new PdfRefused('signed', 'The PDF is signed: the e-invoice cannot be put in without breaking the signature.');
  attach(pdf, xml, day);
  const metadata = withXml(before, xml);
  describe(pdf, metadata);
  const id = PDFHexString.of(createHash('sha256').update(bytes).update(xml.bytes).digest('hex').slice(0, 32));
  pdf.context.trailerInfo.ID = pdf.context.obj([id, id]);
  pdf.context.header = PDFHeader.forVersion(1, 7);
  const written = await PDFWriter.forContext(pdf.context, Number.POSITIVE_INFINITY).serializeToBuffer();
  if (written.length > MAX_WRITTEN)
    throw new PdfRefused(
      'unreadable',
      'The PDF, with its objects unpacked and the e-invoice inside, has more than 40 MiB.',
    );
  return { bytes: written, pdfaPart: pdfaPartOf(metadata), embedded: true };
}

/** Whether the other system has put in this very XML itself. @throws PdfRefused when it has put in another one */
function hasSame(pdf: PDFDocument, xml: EmbeddedXml): boolean {
  try {
    if (Buffer.compare(xmlOf(pdf), xml.bytes) === 0) return true;
  } catch (error) {
    if (error instanceof NoEInvoice) return false;
    if (error instanceof UnreadableFile) throw new PdfRefused('unreadable', error.message);
    throw error;
  }
  const message = "The e-invoice inside the PDF is not the document's: leave it out, or put in the one of GET …/xml.";
  throw new PdfRefused('other_e_invoice', message);
}

function attach(pdf: PDFDocument, xml: EmbeddedXml, day: string): void {
  const { context, catalog } = pdf;
  const file = embedFile(context, xml, PDFString.of(`D:${day.replaceAll('-', '')}000000Z`));
  const associated = catalog.lookup(AF);
  catalog.set(AF, context.obj([...(associated instanceof PDFArray ? associated.asArray() : []), file]));
  const files = dictionaryIn(pdf, dictionaryIn(pdf, catalog, NAMES), FILES);
  const pairs = [...pairsOf(files), [PDFString.of(xml.fileName), file] as const];
  // A name tree is sorted; whatever its writer spread over branches is one list now.
  pairs.sort(([a], [b]) => (textOf(a) < textOf(b) ? -1 : 1));
  files.delete(KIDS);
  files.set(NAMES, context.obj(pairs.flat()));
}

function dictionaryIn(pdf: PDFDocument, parent: PDFDict, key: PDFName): PDFDict {
  const known = parent.lookup(key);
  if (known instanceof PDFDict) return known;
  const made = pdf.context.obj({});
  parent.set(key, made);
  return made;
}

function pairsOf(tree: PDFDict): (readonly [PDFObject, PDFObject])[] {
  const pairs: (readonly [PDFObject, PDFObject])[] = [];
  const seen = new Set<PDFDict>();
  const open: unknown[] = [tree];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (!(node instanceof PDFDict) || seen.has(node)) continue;
    seen.add(node);
    const [kids, names] = [node.lookup(KIDS), node.lookup(NAMES)];
    if (kids instanceof PDFArray) for (let i = 0; i < kids.size(); i++) open.push(kids.lookup(i));
    if (names instanceof PDFArray)
      for (let i = 0; i + 1 < names.size(); i += 2) pairs.push([names.get(i), names.get(i + 1)]);
  }
  return pairs;
}

const textOf = (name: PDFObject): string =>
  name instanceof PDFString || name instanceof PDFHexString ? name.decodeText() : '';

function metadataOf(pdf: PDFDocument): string | null {
  const stream = pdf.catalog.lookup(METADATA);
  if (!(stream instanceof PDFRawStream)) return null;
  try {
    return Buffer.from(decodePDFRawStream(stream).decode()).toString('utf8');
  } catch {
    return null;
  }
}

function describe({ context, catalog }: PDFDocument, metadata: string): void {
  const bytes = Buffer.from(metadata);
  const dictionary = context.obj({ Type: 'Metadata', Subtype: 'XML', Length: bytes.length });
  catalog.set(METADATA, context.register(PDFRawStream.of(dictionary, bytes)));
}
