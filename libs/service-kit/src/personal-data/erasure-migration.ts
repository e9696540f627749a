import { lookupFunction, type Migration, tenantTable } from '@kontor/persistence';

/** What anonymizations have taken away so far, counted in the transactions that do it. */
export const erasureMigration: Migration = {
  name: 'service_kit_0002_customer_erasure',
  sql: `
CREATE TABLE customer_erasure (
  tenant_id uuid NOT NULL,
  customer_id uuid NOT NULL,
  what text NOT NULL,
  removed bigint NOT NULL,
  PRIMARY KEY (tenant_id, customer_id, what)
);
${tenantTable('customer_erasure')}`,
};

/**
 * What triggers ask that otherwise refuse to let anything go: whether an erasure is at work and the term of the row is over. Terms end with
 * a calendar year, in the country whose laws they are.
 */
export const retentionMigration: Migration = {
  name: 'service_kit_0003_retention',
  sql: `
-- Tenants that are erased here. wholly: nothing of them has to stay, because they were sandboxes.
CREATE TABLE tenant_erasure (
  tenant_id uuid PRIMARY KEY,
  wholly boolean NOT NULL,
  begun_at timestamptz NOT NULL,
  removed jsonb NOT NULL
);
${tenantTable('tenant_erasure')}

-- Stored files to which a deleted row referred, until they are removed.
CREATE TABLE file_to_remove (
  key text PRIMARY KEY,
  since timestamptz NOT NULL
);

CREATE FUNCTION legal_term_over(tenant uuid, since timestamptz, years integer) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT extract(year FROM since AT TIME ZONE 'Europe/Berlin') + years
    < extract(year FROM public.tenant_now(tenant) AT TIME ZONE 'Europe/Berlin')
$$;

CREATE FUNCTION may_erase(tenant uuid, since timestamptz, years integer) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT coalesce(current_setting('app.erasing', true), '') = 'on' AND (
    coalesce(public.legal_term_over(tenant, since, years), false)
    OR EXISTS (SELECT FROM public.tenant_erasure e WHERE e.tenant_id = tenant AND e.wholly))
$$;`,
};

/** SQL of the look-up whether a row of any tenant refers to a stored file. */
export const fileLookup = (table: string, column: string): string => `
CREATE INDEX ${table}_file ON ${table} (${column}) WHERE ${column} IS NOT NULL;
${lookupFunction({
  name: 'file_in_use',
  parameters: 'wanted text',
  table,
  columns: ['tenant_id', 'id', column],
  returns: 'tenant_id uuid, id text',
  body: `SELECT f.tenant_id, f.id::text FROM ${table} f WHERE f.${column} = wanted LIMIT 1`,
})}`;
