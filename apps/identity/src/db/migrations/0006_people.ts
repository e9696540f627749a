import { lookupFunction, type Migration, tenantTable } from '@kontor/persistence';

/**
 * People and what they sign in with. A person belongs to no tenant, and is known before one is: the tables that begin with `person`
 * have no row-level security. What a person is in a tenant is `tenant_user`. Secrets are digests, or sealed. Times are real time.
 */
export const people: Migration = {
  name: '0006_people',
  sql: `
CREATE TABLE person (
  id uuid PRIMARY KEY,
  email text NOT NULL,
  first_name text NOT NULL,
  last_name text NOT NULL,
  language text NOT NULL CHECK (language IN ('de', 'en')),
  password_hash text,
  totp_secret text,
  -- The last step of which a code was used: none counts twice.
  totp_step bigint,
  created_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX person_email ON person (lower(email));

-- Two secrets of different life. Without a tenant it is a browser's, for the pages of the account alone; what a company's identity
-- provider said of somebody counts in that tenant only, and ends with the session that it has there.
CREATE TABLE person_session (
  id uuid PRIMARY KEY,
  person_id uuid NOT NULL REFERENCES person ON DELETE CASCADE,
  tenant_id uuid,
  only_tenant uuid,
  provider_sid text,
  access_digest bytea NOT NULL UNIQUE,
  access_expires_at timestamptz NOT NULL,
  refresh_digest bytea UNIQUE,
  previous_refresh_digest bytea UNIQUE,
  expires_at timestamptz NOT NULL,
  methods jsonb NOT NULL,
  address text,
  user_agent text,
  signed_in_at timestamptz NOT NULL,
  last_used_at timestamptz NOT NULL
);
CREATE INDEX person_session_person ON person_session (person_id);
CREATE INDEX person_session_provider ON person_session (provider_sid) WHERE provider_sid IS NOT NULL;
CREATE INDEX person_session_expired ON person_session (expires_at);

-- What counts once: links in mails, questions to passkeys, sign-ins that wait for their second factor.
CREATE TABLE person_token (
  digest bytea PRIMARY KEY,
  purpose text NOT NULL,
  person_id uuid REFERENCES person ON DELETE CASCADE,
  payload jsonb NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX person_token_person ON person_token (person_id);
CREATE INDEX person_token_provider ON person_token ((payload->>'providerSid')) WHERE payload->>'providerSid' IS NOT NULL;
CREATE INDEX person_token_expired ON person_token (expires_at);

CREATE TABLE person_recovery_code (
  person_id uuid NOT NULL REFERENCES person ON DELETE CASCADE,
  digest bytea NOT NULL,
  PRIMARY KEY (person_id, digest)
);

CREATE TABLE person_passkey (
  id uuid PRIMARY KEY,
  person_id uuid NOT NULL REFERENCES person ON DELETE CASCADE,
  credential_id text NOT NULL UNIQUE,
  public_key bytea NOT NULL,
  counter bigint NOT NULL,
  transports jsonb NOT NULL,
  name text NOT NULL,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz
);
CREATE INDEX person_passkey_person ON person_passkey (person_id);

-- Attempts to sign in, by the digest of what they are counted for.
CREATE TABLE person_attempt (
  subject bytea PRIMARY KEY,
  attempts integer NOT NULL,
  since timestamptz NOT NULL
);
CREATE INDEX person_attempt_old ON person_attempt (since);

-- Something happened to an account that its tenants' logs, copies and mails have to hear of. It is nobody's until then.
CREATE TABLE account_event (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  type text NOT NULL,
  person_id uuid,
  email text,
  only_tenant uuid,
  address text,
  user_agent text,
  metadata jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX account_event_email ON account_event (tenant_id, type, email, created_at);
${tenantTable('account_event')}

CREATE TABLE tenant_user (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  person_id uuid NOT NULL,
  version bigint NOT NULL,
  roles jsonb NOT NULL,
  deactivated boolean NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  UNIQUE (tenant_id, person_id)
);
CREATE INDEX tenant_user_newest ON tenant_user (tenant_id, created_at DESC, id);
CREATE INDEX tenant_user_person ON tenant_user (person_id);
${tenantTable('tenant_user')}
${lookupFunction({
  name: 'users_of_person',
  parameters: 'wanted uuid',
  table: 'tenant_user',
  columns: ['tenant_id', 'id', 'person_id', 'created_at'],
  returns: 'tenant_id uuid, id uuid',
  body: 'SELECT u.tenant_id, u.id FROM tenant_user u WHERE u.person_id = wanted ORDER BY u.created_at, u.id LIMIT 1000',
})}

CREATE TABLE user_role (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  permissions jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX user_role_name ON user_role (tenant_id, lower(name));
${tenantTable('user_role')}

CREATE TABLE user_invitation (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  email text NOT NULL,
  roles jsonb NOT NULL,
  language text NOT NULL CHECK (language IN ('de', 'en')),
  status text NOT NULL CHECK (status IN ('pending', 'accepted', 'revoked')),
  digest bytea NOT NULL UNIQUE,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  answered_at timestamptz,
  PRIMARY KEY (tenant_id, id),
  CHECK ((status = 'pending') = (answered_at IS NULL))
);
CREATE UNIQUE INDEX user_invitation_pending ON user_invitation (tenant_id, lower(email)) WHERE status = 'pending';
CREATE INDEX user_invitation_newest ON user_invitation (tenant_id, created_at DESC, id);
${tenantTable('user_invitation')}
${lookupFunction({
  name: 'user_invitation_by_digest',
  parameters: 'wanted bytea',
  table: 'user_invitation',
  columns: ['tenant_id', 'id', 'digest'],
  returns: 'tenant_id uuid, id uuid',
  body: 'SELECT i.tenant_id, i.id FROM user_invitation i WHERE i.digest = wanted',
})}
`,
};
