import { lookupFunction, type Migration, tenantTable } from '@kontor/persistence';

/** Tenants, their API keys and the sessions of their customers. Secrets are stored as SHA-256 digests only. */
export const tenants: Migration = {
  name: '0001_tenants',
  sql: `
CREATE TABLE tenant (
  tenant_id uuid PRIMARY KEY,
  version bigint NOT NULL,
  name text NOT NULL,
  mode text NOT NULL CHECK (mode IN ('live', 'sandbox')),
  status text NOT NULL CHECK (status IN ('active', 'suspended', 'closed')),
  plan text NOT NULL CHECK (plan IN ('standard', 'enterprise')),
  features jsonb NOT NULL,
  time_zone text NOT NULL,
  currency_code text NOT NULL,
  created_at timestamptz NOT NULL
);
${tenantTable('tenant')}
${lookupFunction({
  name: 'all_tenant_ids',
  parameters: 'after_id uuid, page_size integer',
  table: 'tenant',
  columns: ['tenant_id'],
  returns: 'tenant_id uuid, id uuid',
  body: 'SELECT t.tenant_id, t.tenant_id FROM tenant t WHERE t.tenant_id > after_id ORDER BY t.tenant_id LIMIT page_size',
})}

CREATE TABLE api_key (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  permissions jsonb NOT NULL,
  digest bytea NOT NULL UNIQUE,
  allowed_ips jsonb,
  last_used_at timestamptz,
  expires_at timestamptz,
  replaced_by uuid,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX api_key_newest ON api_key (tenant_id, created_at DESC, id);
${tenantTable('api_key')}
${lookupFunction({
  name: 'api_key_by_digest',
  parameters: 'wanted bytea',
  table: 'api_key',
  columns: ['tenant_id', 'id', 'digest'],
  returns: 'tenant_id uuid, id uuid',
  body: 'SELECT k.tenant_id, k.id FROM api_key k WHERE k.digest = wanted',
})}

-- A customer's session: two secrets of different life. Times are real time, never a sandbox clock's.
CREATE TABLE customer_session (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  customer_id uuid NOT NULL,
  access_digest bytea NOT NULL UNIQUE,
  access_expires_at timestamptz NOT NULL,
  refresh_digest bytea NOT NULL UNIQUE,
  previous_refresh_digest bytea UNIQUE,
  refresh_expires_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX customer_session_customer ON customer_session (tenant_id, customer_id);
${tenantTable('customer_session')}
${lookupFunction({
  name: 'customer_session_by_access',
  parameters: 'wanted bytea',
  table: 'customer_session',
  columns: ['tenant_id', 'id', 'access_digest'],
  returns: 'tenant_id uuid, id uuid',
  body: 'SELECT s.tenant_id, s.id FROM customer_session s WHERE s.access_digest = wanted',
})}
`,
};
