import { type Migration, tenantTable } from '@kontor/persistence';

/** Documents that wait for a PDF of the tenant's own system. */
export const ownPdfs: Migration = {
  name: 'invoicing_0180_own_pdfs',
  sql: `
ALTER TABLE invoice ADD COLUMN pdf_awaited boolean NOT NULL DEFAULT false
  CHECK (NOT pdf_awaited OR status = 'STATUS_FINALIZING');

CREATE TABLE awaited_pdf (
  tenant_id uuid NOT NULL,
  invoice_id uuid NOT NULL,
  requested_at timestamptz NOT NULL,
  alarmed_at timestamptz,
  finalizing json,
  reported json,
  PRIMARY KEY (tenant_id, invoice_id)
);
${tenantTable('awaited_pdf')}
`,
};
