import { BUSINESS_LETTERS, type CustomerData, TAX_RECORDS } from '@kontor/service-kit';

const ofInvoice = `EXISTS (SELECT FROM invoice i WHERE i.tenant_id = $1 AND i.id = t.invoice_id AND i.customer_id = $2)`;
const finalizedAt = `(SELECT i.finalized_at FROM invoice i WHERE i.tenant_id = t.tenant_id AND i.id = t.invoice_id)`;

/** What this service knows of customers: documents, which stay as they were issued until their term is over. */
export const customerData: CustomerData = {
  tables: [
    { table: 'invoice', erasure: { ...TAX_RECORDS, from: 't.finalized_at' } },
    { table: 'invoice_position', of: ofInvoice, erasure: { ...TAX_RECORDS, from: finalizedAt } },
    { table: 'invoice_history', of: ofInvoice, erasure: { ...TAX_RECORDS, from: 't.at' } },
    { table: 'document_snapshot', of: ofInvoice, erasure: { ...TAX_RECORDS, from: finalizedAt }, secret: ['searched'] },
    {
      table: 'media',
      of: ofInvoice,
      erasure: { ...TAX_RECORDS, from: 't.created_at' },
      files: { key: 'blob_key', name: 'file_name' },
    },
    {
      table: 'payment_operation',
      of: ofInvoice,
      erasure: { ...TAX_RECORDS, from: 't.created_at' },
      secret: ['idempotency'],
    },
    { table: 'dunning_document', erasure: { ...BUSINESS_LETTERS, from: 't.created_at' } },
    { table: 'charge_batch', erasure: 'nothing' },
  ],
  obstacles: [
    {
      code: 'draft_invoices',
      message: 'There are drafts of invoices: finalize or delete them.',
      sql: `EXISTS (SELECT FROM invoice WHERE tenant_id = $1 AND customer_id = $2 AND finalized_at IS NULL)`,
    },
    {
      code: 'open_invoices',
      message: 'Invoices are open: have them paid, cancel or close them.',
      sql: `EXISTS (
        SELECT FROM invoice
        WHERE tenant_id = $1 AND customer_id = $2 AND status IN ('STATUS_FINALIZING', 'STATUS_UNPAID') AND unpaid_minor <> 0)`,
    },
  ],
};
