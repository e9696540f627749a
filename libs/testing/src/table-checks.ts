import type { TestDatabase } from './test-database.js';

/** Tables that carry no forced row-level security, by name; partitions stand for their parent. */
export async function tablesWithoutPolicy(db: Pick<TestDatabase, 'peek'>): Promise<string[]> {
  const rows = await db.peek<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace AND NOT relispartition AND NOT (relrowsecurity AND relforcerowsecurity) ORDER BY 1`,
  );
  return rows.map((row) => row.name);
}

/**
 * Whether the app role finds a statement's rows by an index whose condition is `column`: row-level security keeps the planner
 * from using conditions that are not leakproof. Sequential scans are switched off, because test tables are small.
 */
export async function usesIndexOn(
  db: Pick<TestDatabase, 'database'>,
  column: string,
  sql: string,
  params: readonly unknown[],
  tenantId: string,
): Promise<boolean> {
  const plan = await db.database.tenant(tenantId, async (tx) => {
    await tx.query('SET LOCAL enable_seqscan = off');
    return tx.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`, params);
  });
  const conditions = plan.map((row) => row['QUERY PLAN']).filter((line) => /(Index|Recheck) Cond:/.test(line));
  return conditions.some((line) => new RegExp(`\\b${column}\\b`).test(line));
}
