import type { Migration } from '@kontor/persistence';

/** A payment goes back in parts, too: several times from one document. */
export const partsReturned: Migration = {
  name: 'payments_0131_parts_returned',
  sql: `
DROP INDEX payment_transaction_returned_once;
CREATE INDEX payment_transaction_returned ON payment_transaction (tenant_id, returned_transaction_id)
  WHERE returned_transaction_id IS NOT NULL;
`,
};
