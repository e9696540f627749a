import { lookupFunction, type Migration, tenantTable } from '@kontor/persistence';

export const methodLinks: Migration = {
  name: 'payments_0021_method_links',
  sql: `
-- A public page on which one customer may add one way to pay; only the token's digest is kept.
CREATE TABLE method_link (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  customer_id uuid NOT NULL,
  token_digest text NOT NULL,
  allowed_gateways jsonb NOT NULL,
  redirect_url text,
  expires_at timestamptz NOT NULL,
  method_id uuid,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX method_link_token ON method_link (token_digest);
${tenantTable('method_link')}
${lookupFunction({
  name: 'method_link_by_digest',
  parameters: 'digest text',
  table: 'method_link',
  columns: ['tenant_id', 'id', 'token_digest'],
  returns: 'tenant_id uuid, id uuid',
  body: 'SELECT l.tenant_id, l.id FROM method_link l WHERE l.token_digest = digest',
})}

-- What a provider outside was asked for: kept before it is asked, and until the payer came back from its page.
CREATE TABLE method_registration (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  customer_id uuid NOT NULL,
  gateway_name text NOT NULL,
  source text NOT NULL,
  wants_default boolean NOT NULL,
  future_usage_allowed boolean NOT NULL,
  input jsonb NOT NULL,
  state text NOT NULL CHECK (state IN ('asking', 'waiting', 'done', 'failed')),
  reference_id text,
  action_url text,
  fail_reason text,
  redirect_url text,
  link_id uuid,
  token_digest text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX method_registration_token ON method_registration (token_digest);
${tenantTable('method_registration')}
${lookupFunction({
  name: 'method_registration_by_digest',
  parameters: 'digest text',
  table: 'method_registration',
  columns: ['tenant_id', 'id', 'token_digest'],
  returns: 'tenant_id uuid, id uuid',
  body: 'SELECT r.tenant_id, r.id FROM method_registration r WHERE r.token_digest = digest',
})}
`,
};
