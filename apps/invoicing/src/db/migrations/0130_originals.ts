import type { Migration } from '@kontor/persistence';

/** Lines know the charge that they credit or correct, credits the documents of those charges. */
export const originals: Migration = {
  name: 'invoicing_0130_originals',
  sql: `
ALTER TABLE invoice_position ADD COLUMN original_charge_id uuid;
CREATE INDEX invoice_position_original ON invoice_position (tenant_id, original_charge_id)
  WHERE original_charge_id IS NOT NULL;
ALTER TABLE invoice ADD COLUMN referenced_invoices json;
`,
};
