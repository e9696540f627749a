import type pg from 'pg';

/** The first version of the server that lets statistics be stated. */
const FIRST_VERSION = 180_000;

/**
 * Has the planner expect that a tenant's rows are many until the server has looked at a table itself. Without statistics it
 * takes a tenant for one of two hundred, its rows for one or two, and reads all of them for each of a batch.
 * @see docs/adr/0032-new-tables-expect-large-tenants.md
 */
export async function expectLargeTenants(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query<{ version: number }>(
    `SELECT current_setting('server_version_num')::int AS version`,
  );
  if ((rows[0]?.version ?? 0) < FIRST_VERSION) return;
  await owner.query(
    `SELECT pg_restore_attribute_stats('schemaname', n.nspname::text, 'relname', c.relname::text, 'attname', a.attname::text,
       'inherited', false, 'null_frac', 0::real, 'avg_width', 16, 'n_distinct', 1::real)
     FROM pg_class c
     JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public'
     JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id' AND NOT a.attisdropped
     WHERE c.relkind = 'r' AND c.reltuples < 0 AND pg_has_role(c.relowner, 'USAGE')`,
  );
}
