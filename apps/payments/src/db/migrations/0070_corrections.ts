import type { Migration } from '@kontor/persistence';

export const corrections: Migration = {
  name: 'payments_0070_corrections',
  sql: `
ALTER TABLE payment_allocation
  DROP CONSTRAINT payment_allocation_kind_check,
  ADD CONSTRAINT payment_allocation_kind_check CHECK (kind IN ('payment', 'payout', 'return', 'credit',
    'credit_reversed', 'to_wallet', 'from_wallet', 'credit_note', 'write_off'));
-- Documents about an invoice: its refunds, credit notes and cancellation.
CREATE INDEX payment_intent_referenced ON payment_intent (tenant_id, referenced_invoice_id)
  WHERE referenced_invoice_id IS NOT NULL;
-- What credit has paid of an intent.
CREATE INDEX wallet_transaction_intent ON wallet_transaction (tenant_id, intent_id) WHERE intent_id IS NOT NULL;
-- What of a document was given up under each VAT category and rate, and when.
ALTER TABLE document_tax
  ADD COLUMN written_off jsonb,
  ADD COLUMN written_off_at timestamptz;
CREATE INDEX document_tax_written_off ON document_tax (tenant_id, written_off_at) WHERE written_off_at IS NOT NULL;
`,
};
