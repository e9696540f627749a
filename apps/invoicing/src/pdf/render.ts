import type { DocumentSnapshot } from '../domain/finalization/document-snapshot.js';
import { documentTitle, layOutDocument } from './lay-out-document.js';
import { writePdf } from './pdf-file.js';

/**
 * The PDF of a document, computed in the calling thread. The same snapshot gives the same bytes.
 * Services use `renderDocument`, which does this in a worker thread.
 */
export function render(snapshot: DocumentSnapshot): Promise<Uint8Array> {
  return writePdf({
    pages: layOutDocument(snapshot),
    title: documentTitle(snapshot),
    author: snapshot.seller.companyName,
    language: snapshot.language,
    day: snapshot.issueDate,
  });
}
