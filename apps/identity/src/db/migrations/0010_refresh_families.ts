import { lookupFunction, type Migration } from '@kontor/persistence';

/**
 * All refresh tokens that a session ever had are of one family: whichever is shown again is recognized, not only the one before the
 * present. Sessions from before get theirs when they are next renewed; until then the former column knows one token.
 */
export const refreshFamilies: Migration = {
  name: '0010_refresh_families',
  sql: `
ALTER TABLE customer_session ADD COLUMN refresh_family bytea UNIQUE;
ALTER TABLE person_session ADD COLUMN refresh_family bytea UNIQUE;
${lookupFunction({
  name: 'customer_session_by_token',
  parameters: 'wanted bytea, wanted_family bytea',
  table: 'customer_session',
  columns: ['tenant_id', 'id', 'refresh_digest', 'previous_refresh_digest', 'refresh_family'],
  returns: 'tenant_id uuid, id uuid',
  body: `SELECT s.tenant_id, s.id FROM customer_session s
    WHERE s.refresh_digest = wanted OR s.previous_refresh_digest = wanted OR s.refresh_family = wanted_family`,
})}
`,
};
