import { BUSINESS_LETTERS, type CustomerData, VOUCHERS } from '@kontor/service-kit';

const ofInvoice = `EXISTS (SELECT FROM invoice i WHERE i.tenant_id = $1 AND i.id = t.invoice_id AND i.customer_id = $2)`;
const finalizedAt = `(SELECT i.finalized_at FROM invoice i WHERE i.tenant_id = t.tenant_id AND i.id = t.invoice_id)`;
const withInvoice = { ...VOUCHERS, from: finalizedAt, then: 'together' } as const;

/** What this service knows of customers: documents, which stay as they were issued until their term is over. */
export const customerData: CustomerData = {
  tables: [
    // What was noted about a document is no part of it.
    { table: 'invoice', erasure: { set: { internal_note: 'NULL' } } },
    {
      table: 'invoice',
      erasure: {
        ...VOUCHERS,
        from: 't.finalized_at',
        together: ['invoice_history', 'document_snapshot', 'media', 'payment_operation', 'invoice_position'].map(
          (table) => ({ table, column: 'invoice_id' }),
        ),
      },
    },
    { table: 'invoice_position', of: ofInvoice, erasure: withInvoice },
    { table: 'invoice_history', of: ofInvoice, erasure: withInvoice },
    { table: 'document_snapshot', of: ofInvoice, erasure: withInvoice, secret: ['searched'] },
    {
      table: 'media',
      of: ofInvoice,
      erasure: withInvoice,
      files: { key: 'blob_key', name: 'file_name' },
    },
    {
      table: 'payment_operation',
      of: ofInvoice,
      erasure: withInvoice,
      secret: ['idempotency'],
    },
    { table: 'dunning_document', erasure: { ...BUSINESS_LETTERS, from: 't.created_at' } },
    { table: 'charge_batch', erasure: 'nothing' },
    // Who has some is not anonymized: billing waits for their invoice.
    { table: 'charge_part', erasure: 'nothing' },
  ],
  obstacles: [
    {
      code: 'draft_invoices',
      message: 'There are drafts of invoices, also of who gets its invoices: finalize or delete them.',
      sql: `EXISTS (SELECT FROM invoice WHERE tenant_id = $1 AND customer_id = $2::uuid AND finalized_at IS NULL)
        OR EXISTS (
          SELECT FROM invoice i JOIN invoice_position p ON p.tenant_id = $1 AND p.invoice_id = i.id
          WHERE i.tenant_id = $1 AND i.status = 'STATUS_DRAFT' AND p.subscription->'customer'->>'id' = $2::uuid::text)`,
    },
    {
      code: 'open_invoices',
      message: 'Invoices are open: have them paid, cancel or close them.',
      // What was cancelled or closed is open again where a payment of it went back after that.
      sql: `EXISTS (
        SELECT FROM invoice
        WHERE tenant_id = $1 AND customer_id = $2 AND (status IN ('STATUS_FINALIZING', 'STATUS_UNPAID') AND unpaid_minor <> 0
          OR status IN ('STATUS_CANCELLED', 'STATUS_CLOSED') AND unpaid_minor > 0))`,
    },
  ],
};
