import type { Migration } from '@kontor/persistence';

export const refunds: Migration = {
  name: '0010_refunds',
  sql: `
-- What was given back of an invoice.
create index invoice_referenced on invoice (tenant_id, referenced_invoice_id) where referenced_invoice_id is not null;
`,
};
