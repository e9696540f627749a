import { type Migration, tenantTable } from '@kontor/persistence';

export const documentTaxes: Migration = {
  name: 'payments_0050_document_taxes',
  sql: `
-- What documents charge under each VAT category and rate: the ledger books only their net amount and their tax.
CREATE TABLE document_tax (
  tenant_id uuid NOT NULL,
  invoice_id uuid NOT NULL,
  taxes jsonb NOT NULL,
  booked_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, invoice_id)
);
CREATE INDEX document_tax_several ON document_tax (tenant_id, booked_at) WHERE jsonb_array_length(taxes) > 1;
${tenantTable('document_tax')}
`,
};
