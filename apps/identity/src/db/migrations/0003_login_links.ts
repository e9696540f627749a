import { lookupFunction, type Migration, replicaLookup, tenantTable } from '@kontor/persistence';

/** Links with which customers log in, and who asked for them. Times are real time. */
export const loginLinks: Migration = {
  name: '0003_login_links',
  sql: `
CREATE TABLE login_request (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  email text NOT NULL,
  interaction text,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX login_request_email ON login_request (tenant_id, email, created_at);
${tenantTable('login_request')}

CREATE TABLE login_link (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  request_id uuid NOT NULL,
  customer_id uuid NOT NULL,
  digest bytea NOT NULL UNIQUE,
  interaction text,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  PRIMARY KEY (tenant_id, id),
  UNIQUE (tenant_id, request_id, customer_id)
);
${tenantTable('login_link')}
${lookupFunction({
  name: 'login_link_by_digest',
  parameters: 'wanted bytea',
  table: 'login_link',
  columns: ['tenant_id', 'id', 'digest'],
  returns: 'tenant_id uuid, id uuid',
  body: 'SELECT l.tenant_id, l.id FROM login_link l WHERE l.digest = wanted',
})}

-- Whose e-mail address it is, in all tenants: who logs in names no tenant.
${replicaLookup({ name: 'customers_by_email', kind: 'customer', field: 'email' })}
${lookupFunction({
  name: 'customer_session_by_refresh',
  parameters: 'wanted bytea',
  table: 'customer_session',
  columns: ['tenant_id', 'id', 'refresh_digest', 'previous_refresh_digest'],
  returns: 'tenant_id uuid, id uuid',
  body: `SELECT s.tenant_id, s.id FROM customer_session s
    WHERE s.refresh_digest = wanted OR s.previous_refresh_digest = wanted`,
})}
`,
};
