import type { Migration } from '@kontor/persistence';

export const collectionRetries: Migration = {
  name: 'payments_0010_collection_retries',
  sql: `
ALTER TABLE payment_intent
  ADD COLUMN attempts integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  ADD COLUMN first_failed_at timestamptz,
  ADD COLUMN next_retry_at timestamptz,
  ADD COLUMN referenced_invoice_id uuid,
  ADD COLUMN method_is_named boolean;
ALTER TABLE payment_transaction ADD COLUMN refunded_transaction_id uuid;
CREATE INDEX payment_transaction_refunds ON payment_transaction (tenant_id, refunded_transaction_id)
  WHERE refunded_transaction_id IS NOT NULL;
`,
};
