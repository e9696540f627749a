import { eInvoiceOf } from '../domain/e-invoice/from-snapshot.js';
import { writeCii } from '../domain/e-invoice/write-cii.js';
import type { DocumentSnapshot } from '../domain/finalization/document-snapshot.js';
import { documentTitle, layOutDocument } from './lay-out-document.js';
import { writePdf } from './pdf-file.js';
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
  const pdf = await writePdf({
    pages: layOutDocument(snapshot),
    title: documentTitle(snapshot),
    author: snapshot.seller.companyName,
    language: snapshot.language,
    day: snapshot.issueDate,
    xml: xml && embeddedXml(xml, snapshot.references.leitwegId !== null),
  });
  return { pdf, xml };
}

/** The PDF alone. */
export const render = async (snapshot: DocumentSnapshot): Promise<Uint8Array> => (await renderFiles(snapshot)).pdf;
