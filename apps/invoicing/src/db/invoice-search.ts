import type { TextSearch } from '@kontor/persistence';

/** What `search` looks into: number and recipient of finalized documents, kept where rows never change. */
export const invoiceSearch: TextSearch = {
  name: 'invoice_search',
  table: 'document_snapshot',
  id: 'invoice_id',
  columns: ['searched'],
};
