import { type Migration, textSearch } from '@kontor/persistence';
import { invoiceSearch } from '../invoice-search.js';

/** Indexes that have the orders in which documents are listed, and one for their search. */
export const invoiceLists: Migration = {
  name: 'invoicing_0150_invoice_lists',
  sql: `
-- Drafts have no number: missing values differ from each other.
DROP INDEX invoice_number;
CREATE UNIQUE INDEX invoice_number ON invoice (tenant_id, number DESC NULLS LAST);
DROP INDEX invoice_due;
CREATE INDEX invoice_due ON invoice (tenant_id, due_at DESC NULLS LAST, created_at DESC, id DESC);
DROP INDEX invoice_finalized;
CREATE INDEX invoice_finalized ON invoice (tenant_id, finalized_at DESC NULLS LAST, created_at DESC, id DESC);
CREATE INDEX invoice_gross ON invoice (tenant_id, gross_minor, created_at, id);

ALTER TABLE document_snapshot ADD COLUMN searched text NOT NULL DEFAULT '';
ALTER TABLE document_snapshot ALTER COLUMN searched DROP DEFAULT;
-- The owner sees what no transaction's tenant owns only while the tables do not force it.
ALTER TABLE document_snapshot NO FORCE ROW LEVEL SECURITY;
ALTER TABLE invoice NO FORCE ROW LEVEL SECURITY;
UPDATE document_snapshot s SET searched = concat_ws(' ', i.number, a->>'companyName', a->>'firstName', a->>'lastName',
    a->>'addition', a->>'street', a->>'houseNumber', a->>'zip', a->>'city', a->>'vatId', a->>'costCentre')
  FROM invoice i, LATERAL (SELECT i.invoice_address AS a) r
  WHERE i.tenant_id = s.tenant_id AND i.id = s.invoice_id;
ALTER TABLE document_snapshot FORCE ROW LEVEL SECURITY;
ALTER TABLE invoice FORCE ROW LEVEL SECURITY;
${textSearch(invoiceSearch)}
`,
};
