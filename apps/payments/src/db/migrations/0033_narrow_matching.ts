import { type Migration, tenantTable } from '@kontor/persistence';

export const narrowMatching: Migration = {
  name: 'payments_0033_narrow_matching',
  sql: `
-- How document numbers of a tenant look (\`AA999999999\` for RE-2026-00017): what has no such shape in a text is no
-- number.
CREATE TABLE document_shape (
  tenant_id uuid NOT NULL,
  shape text NOT NULL,
  PRIMARY KEY (tenant_id, shape)
);
${tenantTable('document_shape')}

-- Indexes that a statement's lines need not be in.
DROP INDEX bank_transaction_import;
CREATE INDEX bank_transaction_import ON bank_transaction (tenant_id, import_id, id) WHERE status = 'STATUS_RECEIVED';
DROP INDEX bank_assignment_invoice;
DROP INDEX payment_transaction_method;
CREATE INDEX payment_transaction_method ON payment_transaction (tenant_id, payment_method_id, id)
  WHERE payment_method_id IS NOT NULL;
`,
};
