import type { Migration } from '@kontor/persistence';

export const refunds: Migration = {
  name: '0010_refunds',
  sql: `
-- Refunds of an invoice.
CREATE INDEX invoice_referenced ON invoice (tenant_id, referenced_invoice_id) WHERE referenced_invoice_id IS NOT NULL;
`,
};
