import type pg from 'pg';

/** The first version of the server that lets statistics be stated. */
const FIRST_VERSION = 180_000;
/** Each has half of a table, whatever there really is. */
const TENANTS = 2;

/** Tables whose tenants the server counts by itself. */
const COUNTED = `
  SELECT n.nspname, c.relname FROM pg_class c
  JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public'
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id' AND NOT a.attisdropped
  WHERE c.relkind = 'r' AND NOT c.relispartition AND a.attstattarget IS DISTINCT FROM 0
    AND pg_has_role(c.relowner, 'USAGE') AND current_setting('server_version_num')::int >= ${FIRST_VERSION}`;

/** Whether there are tables of which {@link expectLargeTenants} has not been stated. */
export async function countsTenants(owner: pg.Client): Promise<boolean> {
  const { rows } = await owner.query<{ found: boolean }>(`SELECT EXISTS (${COUNTED}) AS found`);
  return rows[0]?.found === true;
}

/**
 * Has the planner expect the same of every tenant, for good: that its rows are many, and beside each other. What it found out by itself about those that were
 * there would have it take one that came later for one without rows, and read all of them for each of a batch.
 * @see docs/adr/0032-tables-expect-large-tenants.md
 */
export async function expectLargeTenants(owner: pg.Client): Promise<void> {
  await owner.query(
    `DO $$
     DECLARE t record;
     BEGIN
       FOR t IN ${COUNTED} LOOP
         EXECUTE format('ALTER TABLE %I.%I ALTER tenant_id SET STATISTICS 0', t.nspname, t.relname);
         PERFORM pg_restore_attribute_stats('schemaname', t.nspname::text, 'relname', t.relname::text, 'attname', 'tenant_id',
           'inherited', false, 'null_frac', 0::real, 'avg_width', 16, 'n_distinct', ${TENANTS}::real, 'correlation', 1::real);
       END LOOP;
     END $$`,
  );
}
