import pg from 'pg';

/** As after an import into an empty system: nothing is known of the tables' contents, and nothing learns it. */
export async function forgetStatistics(adminUrl: string): Promise<void> {
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  const { rows } = await admin.query<{ name: string }>(
    `SELECT oid::regclass::text AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
  );
  const names = rows.map(({ name }) => name);
  for (const name of names) await admin.query(`ALTER TABLE ${name} SET (autovacuum_enabled = false)`);
  await admin.query('DELETE FROM pg_statistic WHERE starelid = ANY ($1::text[]::regclass[])', [names]);
  await admin.query('UPDATE pg_class SET reltuples = -1 WHERE oid = ANY ($1::text[]::regclass[])', [names]);
  await admin.end();
}

export interface RowsRead {
  readonly text: string;
  /** Table or index. */
  readonly relation: string;
  readonly rows: number;
}

/** Of tables what they read as a whole, of indexes their entries, which are all that some plans read. */
const READ_SO_FAR = `SELECT relname AS relation, pg_stat_get_xact_tuples_returned(oid) AS rows FROM pg_class
  WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'i') AND pg_stat_get_xact_tuples_returned(oid) > 0`;

/** Statements of this process that read more rows of one table or index while `work` runs; background work of the service is among it. */
export async function statementsReading(moreThan: number, work: () => Promise<unknown>): Promise<RowsRead[]> {
  const found: RowsRead[] = [];
  const soFar = new WeakMap<pg.Client, ReadonlyMap<string, number>>();
  const original = pg.Client.prototype.query;
  async function note(client: pg.Client, text: string): Promise<void> {
    const { rows } = (await Reflect.apply(original, client, [READ_SO_FAR])) as pg.QueryResult<{
      relation: string;
      rows: string;
    }>;
    const before = soFar.get(client);
    const now = new Map(rows.map((row) => [row.relation, Number(row.rows)]));
    soFar.set(client, now);
    for (const [relation, count] of now) {
      // What was read before the first statement, which begins the transaction, is of others.
      const earlier = before ? (before.get(relation) ?? 0) : count;
      // Fewer than before: the server has counted them in, and began anew.
      const read = count >= earlier ? count - earlier : count;
      if (read > moreThan) found.push({ text, relation, rows: read });
    }
  }
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [query] = args as [string | { text?: string; submit?: unknown }];
    const answer = original.apply(this, args as never) as unknown;
    if (!(answer instanceof Promise)) return answer;
    const text = typeof query === 'string' ? query : (query.text ?? '');
    // In a transaction that has failed nothing can be asked.
    return answer.then(async (result: unknown) => {
      await note(this, text).catch(() => undefined);
      return result;
    });
  } as never;
  try {
    await work();
  } finally {
    pg.Client.prototype.query = original;
  }
  return found;
}
