import type { Tx } from '@kontor/kernel';
import pg from 'pg';
import { usesIndexOn } from './table-checks.js';
import type { TestDatabase } from './test-database.js';

export interface Statement {
  readonly text: string;
  readonly params: unknown[];
}

/** The SQL that this process sends while `work` runs; background work of the service is among it. */
export async function statementsOf(work: () => Promise<unknown>): Promise<Statement[]> {
  const seen: Statement[] = [];
  const original = pg.Client.prototype.query;
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [query, params] = args as [string | { text?: string }, unknown[] | undefined];
    seen.push({ text: typeof query === 'string' ? query : (query.text ?? ''), params: params ?? [] });
    return original.apply(this, args as never);
  } as never;
  try {
    await work();
  } finally {
    pg.Client.prototype.query = original;
  }
  return seen;
}

/** Statements of `work` alone: the fewest of several rounds, because the service's own polling comes on top at times. */
export async function fewestStatements(work: () => Promise<unknown>): Promise<number> {
  let fewest = Infinity;
  for (let i = 0; i < 5; i++) fewest = Math.min(fewest, (await statementsOf(work)).length);
  return fewest;
}

/**
 * Whether the app role finds the rows of a list by an index whose condition is `column`, in every statement that `work` (the
 * request) sends to `table`. An app's own SQL is explained, so that a test cannot stay behind it.
 */
export async function listUsesIndexOn(
  db: Pick<TestDatabase, 'database'>,
  tenantId: string,
  table: string,
  column: string,
  work: () => Promise<unknown>,
): Promise<boolean> {
  const isOfList = new RegExp(`^\\s*select\\b[^]*\\bfrom ${table}\\b[^]*\\bwhere\\b`, 'i');
  const statements = (await statementsOf(work)).filter(
    ({ text }) => isOfList.test(text) && /\b(count\(|limit\b)/i.test(text),
  );
  if (statements.length === 0) throw new Error(`the request reads no list of ${table}`);
  for (const { text, params } of statements) if (!(await usesIndexOn(db, column, text, params, tenantId))) return false;
  return true;
}

interface PlanNode {
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Join Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** How many rows all steps of a query look at together: its work, however fast the machine. Runs the query. */
export async function rowsRead(tx: Tx, sql: string, params: readonly unknown[]): Promise<number> {
  const [row] = await tx.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
    `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${sql}`,
    params,
  );
  return sumOf(row!['QUERY PLAN'][0]!.Plan);
}

const sumOf = (node: PlanNode): number =>
  node['Actual Loops'] *
    (node['Actual Rows'] +
      (node['Rows Removed by Filter'] ?? 0) +
      (node['Rows Removed by Join Filter'] ?? 0) +
      (node['Rows Removed by Index Recheck'] ?? 0)) +
  (node.Plans ?? []).reduce((sum, child) => sum + sumOf(child), 0);
