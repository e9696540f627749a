import { lookupFunction, type Migration, tenantTable } from '@kontor/persistence';

export const payerPages: Migration = {
  name: 'payments_0024_payer_pages',
  sql: `
-- A public page of an intent, on which its payer does what a collection waits for; only the token's digest is kept.
CREATE TABLE payer_page (
  tenant_id uuid NOT NULL,
  -- The intent's id.
  id uuid NOT NULL,
  token_digest text NOT NULL,
  redirect_url text,
  -- The last collection of which its payer was notified.
  announced_transaction_id uuid,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX payer_page_token ON payer_page (token_digest);
${tenantTable('payer_page')}
${lookupFunction({
  name: 'payer_page_by_digest',
  parameters: 'digest text',
  table: 'payer_page',
  columns: ['tenant_id', 'id', 'token_digest'],
  returns: 'tenant_id uuid, id uuid',
  body: 'SELECT p.tenant_id, p.id FROM payer_page p WHERE p.token_digest = digest',
})}
`,
};
