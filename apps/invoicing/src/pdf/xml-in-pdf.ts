import { inflateSync } from 'node:zlib';
import { PDFArray, PDFDict, PDFDocument, PDFHexString, PDFName, PDFRawStream, PDFRef, PDFString } from 'pdf-lib';
import { NoEInvoice, UnreadableFile } from '../domain/e-invoice/reading/xml-node.js';

/** More than that is no invoice, whatever a small file unpacks to. */
const MAX_XML = 20 * 1024 * 1024;
const NAMES = ['factur-x.xml', 'xrechnung.xml', 'zugferd-invoice.xml'];

/**
 * The e-invoice inside a PDF.
 * @throws UnreadableFile for an encrypted or broken PDF; NoEInvoice when none is in it
 */
export const xmlInPdf = async (bytes: Uint8Array): Promise<Uint8Array> => xmlOf(await load(bytes));

/** The e-invoice inside a PDF that was read already. @throws UnreadableFile, NoEInvoice as {@link xmlInPdf}. */
export function xmlOf(pdf: PDFDocument): Uint8Array {
  const files = filesOf(pdf);
  const found = NAMES.map((name) => files.get(name)).find((file) => file !== undefined) ?? onlyXml(files);
  if (!found) throw new NoEInvoice('The PDF has no e-invoice inside.');
  return unpacked(found);
}

async function load(bytes: Uint8Array): Promise<PDFDocument> {
  const options = { updateMetadata: false, parseSpeed: Infinity, ignoreEncryption: true };
  const pdf = await PDFDocument.load(bytes, options).catch(() => {
    throw new UnreadableFile('The PDF cannot be read.');
  });
  if (pdf.isEncrypted) throw new UnreadableFile('The PDF is encrypted.');
  return pdf;
}

const onlyXml = (files: ReadonlyMap<string, PDFRawStream>): PDFRawStream | undefined => {
  const all = [...files].filter(([name]) => name.endsWith('.xml'));
  return all.length === 1 ? all[0]?.[1] : undefined;
};

/** Attached files by their names in lower case. */
function filesOf(pdf: PDFDocument): Map<string, PDFRawStream> {
  const files = new Map<string, PDFRawStream>();
  for (const [, object] of pdf.context.enumerateIndirectObjects()) {
    if (!(object instanceof PDFDict)) continue;
    const embedded = object.lookup(PDFName.of('EF'));
    if (!(embedded instanceof PDFDict)) continue;
    const name = object.lookup(PDFName.of('UF')) ?? object.lookup(PDFName.of('F'));
    const stream = embedded.lookup(PDFName.of('F')) ?? embedded.lookup(PDFName.of('UF'));
    if (!(name instanceof PDFString || name instanceof PDFHexString) || !(stream instanceof PDFRawStream)) continue;
    files.set(name.decodeText().toLowerCase(), stream);
  }
  return files;
}

function unpacked(stream: PDFRawStream): Uint8Array {
  const filter = stream.dict.lookup(PDFName.of('Filter'));
  const [name, ...others] = filter instanceof PDFArray ? filter.asArray() : [filter];
  if (name === undefined) return stream.contents;
  if (others.length > 0 || name instanceof PDFRef || String(name) !== '/FlateDecode')
    throw new UnreadableFile('The file inside the PDF is packed in a way that is not known here.');
  try {
    return inflateSync(stream.contents, { maxOutputLength: MAX_XML });
  } catch {
    throw new UnreadableFile('The file inside the PDF cannot be unpacked, or is larger than 20 MiB.');
  }
}
