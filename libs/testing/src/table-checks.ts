import type { TestDatabase } from './test-database.js';

/** Tables that carry no forced row-level security, by name; partitions stand for their parent. */
export async function tablesWithoutPolicy(db: Pick<TestDatabase, 'peek'>): Promise<string[]> {
  const rows = await db.peek<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace AND NOT relispartition
       AND NOT (relrowsecurity AND relforcerowsecurity)
     ORDER BY 1`,
  );
  return rows.map((row) => row.name);
}

/** Tables of a service that name a customer. */
export async function tablesOfCustomers(db: Pick<TestDatabase, 'peek'>): Promise<string[]> {
  const rows = await db.peek<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c
     JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'customer_id' AND NOT a.attisdropped
     WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace AND NOT c.relispartition
       AND c.relname <> 'customer_erasure'
     ORDER BY 1`,
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

/**
 * Whether the app role has to sort all rows that match for a page: then no index has the order. Rows that are alike in what comes
 * first are sorted in any case, and so is the page itself.
 */
export async function sortsAll(
  db: Pick<TestDatabase, 'database'>,
  tenantId: string,
  { text, params }: { readonly text: string; readonly params: readonly unknown[] },
): Promise<boolean> {
  const [explained] = await db.database.tenant(tenantId, async (tx) => {
    await tx.query('SET LOCAL enable_seqscan = off');
    return tx.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(`EXPLAIN (FORMAT JSON) ${text}`, params);
  });
  return sortsBelowLimit(explained!['QUERY PLAN'][0].Plan, false);
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly Plans?: readonly PlanNode[];
}

function sortsBelowLimit(node: PlanNode, isBelow: boolean): boolean {
  const type = node['Node Type'];
  if (isBelow && type === 'Sort') return true;
  return (node.Plans ?? []).some((child) => sortsBelowLimit(child, isBelow || type === 'Limit'));
}

/**
 * Makes 5,000 rows of the one that a table has, so that the planner has something to choose from; `changes` are SQL expressions by
 * column over the row's number `n`.
 */
export async function multiplyRow(
  db: Pick<TestDatabase, 'peek'>,
  table: string,
  changes: Readonly<Record<string, string>>,
): Promise<void> {
  const changed = Object.entries(changes).map(([column, expression]) => `'${column}', ${expression}`);
  await db.peek(
    `INSERT INTO ${table} SELECT made.* FROM (SELECT * FROM ${table} LIMIT 1) one, generate_series(1, 5000) n,
       LATERAL jsonb_populate_record(NULL::${table}, to_jsonb(one) || jsonb_build_object(${changed.join(', ')})) made`,
  );
  await db.peek(`ANALYZE ${table}`);
}
