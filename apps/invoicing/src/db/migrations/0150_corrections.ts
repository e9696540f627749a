import type { Migration } from '@kontor/persistence';

/** What cancellations, credit notes, sent, closed and imported documents need to remember. */
export const corrections: Migration = {
  name: 'invoicing_0150_corrections',
  sql: `
ALTER TABLE invoice
  ADD COLUMN cancellation_id uuid,
  ADD COLUMN reason text,
  ADD COLUMN last_sent_at timestamptz,
  ADD COLUMN mailed boolean NOT NULL DEFAULT true,
  ADD COLUMN imported boolean NOT NULL DEFAULT false,
  ADD CHECK (type IN ('TYPE_REMINDER', 'TYPE_DUNNING')
    OR (cancellation_id IS NOT NULL) = (status = 'STATUS_CANCELLED'));
ALTER TABLE invoice_position
  ADD COLUMN corrected_position_id uuid,
  ADD COLUMN corrected_quantity text;
-- An invoice is cancelled once, whatever happens at the same time.
CREATE UNIQUE INDEX invoice_cancelled_once ON invoice (tenant_id, referenced_invoice_id) WHERE type = 'TYPE_CANCEL';
`,
};
