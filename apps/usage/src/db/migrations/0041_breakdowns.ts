import { lookupFunction, type Migration, tenantTable } from '@kontor/persistence';

/** What the public pages about usage show. Who has a page's address may see it; of the address only a hash is kept. */
export const breakdowns: Migration = {
  name: 'usage_0041_breakdowns',
  sql: `
CREATE TABLE usage_breakdown (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  customer_id uuid NOT NULL,
  token_hash text NOT NULL,
  status text NOT NULL CHECK (status IN ('valid', 'cancelled')),
  document jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX usage_breakdown_token ON usage_breakdown (token_hash);
${tenantTable('usage_breakdown')}
${lookupFunction({
  name: 'usage_breakdown_by_token',
  parameters: 'p_token_hash text',
  table: 'usage_breakdown',
  columns: ['tenant_id', 'id', 'token_hash'],
  returns: 'tenant_id uuid, id uuid',
  body: 'SELECT b.tenant_id, b.id FROM usage_breakdown b WHERE b.token_hash = p_token_hash',
})}
`,
};
