import pg from 'pg';
import { eventually } from './eventually.js';
import type { TestDatabase } from './test-database.js';

/** While somebody else's transaction has the rows of a statement, of which there is at least one, and does not end before; `commits`: what it did stays. */
export async function whileHeld<T>(
  { adminUrl }: Pick<TestDatabase, 'adminUrl'>,
  { sql, params, commits }: { readonly sql: string; readonly params: readonly unknown[]; readonly commits?: boolean },
  work: () => Promise<T>,
): Promise<T> {
  const holder = new pg.Client({ connectionString: adminUrl });
  await holder.connect();
  try {
    await holder.query('BEGIN');
    const { rowCount } = await holder.query(sql, [...params]);
    if (!rowCount) throw new Error(`There is nothing to hold: ${sql}`);
    const result = await work();
    if (commits) await holder.query('COMMIT');
    return result;
  } finally {
    await holder.end();
  }
}

/** Resolves when so many connections to a test's database wait for a lock. */
export const lockWaiters = (db: Pick<TestDatabase, 'peek'>, count: number): Promise<unknown> =>
  eventually(async () => {
    const [row] = await db.peek<{ n: number }>(
      `SELECT count(DISTINCT l.pid)::int AS n FROM pg_locks l JOIN pg_stat_activity a USING (pid)
       WHERE NOT l.granted AND a.datname = current_database()`,
    );
    return (row?.n ?? 0) >= count;
  }, `${count} connections wait for a lock`);
