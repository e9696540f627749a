import { lookupFunction, type Migration, tenantTable } from '@kontor/persistence';

/**
 * Apps that sign customers in, and what the OAuth endpoints remember. Sessions, codes and tokens are found before their tenant is
 * known: `oidc_payload` and the keys belong to an issuer. Of each id only the digest is kept. Times are real time.
 */
export const oauth: Migration = {
  name: '0004_oauth',
  sql: `
CREATE TABLE oauth_client (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  secret_digest text,
  token_endpoint_auth_method text NOT NULL
    CHECK (token_endpoint_auth_method IN ('client_secret_post', 'client_secret_basic', 'none')),
  redirect_uris jsonb NOT NULL,
  scopes jsonb NOT NULL,
  post_logout_redirect_uris jsonb NOT NULL,
  frontchannel_logout_uri text,
  backchannel_logout_uri text,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CHECK ((token_endpoint_auth_method = 'none') = (secret_digest IS NULL))
);
CREATE INDEX oauth_client_newest ON oauth_client (tenant_id, created_at DESC, id);
${tenantTable('oauth_client')}
${lookupFunction({
  name: 'oauth_client_by_id',
  parameters: 'wanted uuid',
  table: 'oauth_client',
  columns: ['tenant_id', 'id'],
  returns: 'tenant_id uuid, id uuid',
  body: 'SELECT c.tenant_id, c.id FROM oauth_client c WHERE c.id = wanted',
})}
CREATE INDEX oauth_client_id ON oauth_client (id);

CREATE TABLE oidc_payload (
  issuer text NOT NULL,
  model text NOT NULL,
  id_digest bytea NOT NULL,
  payload jsonb NOT NULL,
  grant_id text,
  uid text,
  expires_at timestamptz,
  consumed_at timestamptz,
  PRIMARY KEY (issuer, model, id_digest)
);
CREATE INDEX oidc_payload_grant ON oidc_payload (issuer, grant_id) WHERE grant_id IS NOT NULL;
CREATE INDEX oidc_payload_uid ON oidc_payload (issuer, uid) WHERE uid IS NOT NULL;
CREATE INDEX oidc_payload_expired ON oidc_payload (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE signing_key (
  issuer text NOT NULL,
  kid text NOT NULL,
  jwk text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (issuer, kid)
);

-- Logout tokens that are to be sent.
CREATE TABLE logout_delivery (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  client_id uuid NOT NULL,
  subject text NOT NULL,
  sid text NOT NULL,
  attempts integer NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
${tenantTable('logout_delivery')}
`,
};
