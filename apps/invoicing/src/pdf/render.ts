import type { PaperBlock } from '@kontor/contracts';
import { eInvoiceOf } from '../domain/e-invoice/from-snapshot.js';
import { writeCii } from '../domain/e-invoice/write-cii.js';
import type { DocumentSnapshot } from '../domain/finalization/document-snapshot.js';
import { documentTitle, layOutDocument } from './lay-out-document.js';
import { readLogo } from './logo.js';
import { layOutPaper, type Paper } from './lay-out-paper.js';
import { writePdf } from './pdf-file.js';
import { readPng } from './read-png.js';
import { embeddedXml } from './xmp.js';

/** The files of a document; it need not be an e-invoice. */
export interface RenderedDocument {
  readonly pdf: Uint8Array;
  readonly xml: Uint8Array | null;
}

/**
 * The PDF of a document and its e-invoice, computed in the calling thread. The same snapshot gives the same bytes.
 * Services use `render-document.ts`, which does this in a worker thread.
 */
export async function renderFiles(snapshot: DocumentSnapshot): Promise<RenderedDocument> {
  const xml = snapshot.eInvoice ? new TextEncoder().encode(writeCii(eInvoiceOf(snapshot))) : null;
  const logo = await readLogo(snapshot.brand?.logo);
  const pdf = await writePdf({
    layout: layOutDocument(snapshot, logo),
    logo,
    title: documentTitle(snapshot),
    author: snapshot.seller.companyName,
    language: snapshot.language,
    day: snapshot.issueDate,
    xml: xml && embeddedXml(xml, snapshot.references.leitwegId !== null),
  });
  return { pdf, xml };
}

/** A letter of another service, as a PDF. Pictures that cannot be read are left out. */
export async function renderPaper({ request, seller, brand }: Paper): Promise<Uint8Array> {
  const logo = await readLogo(brand?.logo);
  const blocks: PaperBlock[] = [];
  // One after the other: a picture takes many times its file while it is unpacked.
  for (const block of request.blocks) blocks.push(await withReadablePictures(block));
  return writePdf({
    layout: layOutPaper({ request: { ...request, blocks }, seller, ...(brand && { brand }) }, logo),
    logo,
    title: request.title,
    author: seller.companyName,
    language: request.language,
    day: request.day,
    xml: null,
  });
}

async function withReadablePictures(block: PaperBlock): Promise<PaperBlock> {
  if (block.kind !== 'entries') return block;
  const entries: (typeof block.entries)[number][] = [];
  for (const entry of block.entries) {
    const isReadable = entry.picture === null || (await isPng(Buffer.from(entry.picture, 'base64')));
    entries.push(isReadable ? entry : { ...entry, picture: null });
  }
  return { ...block, entries };
}

const isPng = (bytes: Uint8Array): Promise<boolean> =>
  readPng(bytes).then(
    () => true,
    () => false,
  );

/** The PDF alone. */
export const render = async (snapshot: DocumentSnapshot): Promise<Uint8Array> => (await renderFiles(snapshot)).pdf;
