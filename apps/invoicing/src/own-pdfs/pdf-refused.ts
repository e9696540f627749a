/** More pages than that no document has. */
export const MAX_PAGES = 500;

/** What is wrong with a file that somebody sent as the PDF of a document. */
export type PdfFault =
  | 'no_pdf'
  | 'unreadable'
  | 'encrypted'
  | 'no_pages'
  | 'too_many_pages'
  | 'active_content'
  | 'signed'
  | 'other_e_invoice';

export class PdfRefused extends Error {
  constructor(
    readonly fault: PdfFault,
    message: string,
  ) {
    super(message);
    this.name = 'PdfRefused';
  }
}
