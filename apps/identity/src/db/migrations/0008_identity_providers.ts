import { lookupFunction, type Migration, tenantTable } from '@kontor/persistence';

/** The companies' own identity providers, and who their people are there. Times are real time. */
export const identityProviders: Migration = {
  name: '0008_identity_providers',
  sql: `
CREATE TABLE identity_provider (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  issuer text NOT NULL,
  client_id text NOT NULL,
  client_secret text NOT NULL,
  domains jsonb NOT NULL,
  domain_proof text NOT NULL,
  proved_domains jsonb NOT NULL,
  new_user_roles jsonb NOT NULL,
  password_allowed boolean NOT NULL,
  second_factor_required boolean NOT NULL,
  redirect_uris jsonb NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  UNIQUE (tenant_id)
);
CREATE INDEX identity_provider_domains ON identity_provider USING gin (proved_domains);
${tenantTable('identity_provider')}
${lookupFunction({
  name: 'identity_providers_by_domain',
  parameters: 'wanted text',
  table: 'identity_provider',
  columns: ['tenant_id', 'id', 'proved_domains', 'updated_at'],
  returns: 'tenant_id uuid, id uuid',
  body: 'SELECT p.tenant_id, p.id FROM identity_provider p WHERE p.proved_domains ? wanted ORDER BY p.updated_at, p.id LIMIT 10',
})}

CREATE TABLE provider_login (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  issuer text NOT NULL,
  subject text NOT NULL,
  person_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  UNIQUE (tenant_id, issuer, subject),
  UNIQUE (tenant_id, issuer, person_id)
);
${tenantTable('provider_login')}
`,
};
