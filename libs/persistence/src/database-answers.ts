import pg from 'pg';
import { within } from './open-tenant-tx.js';

/** `read_only`: it takes no writes, as after a change of the leading server. */
export type DatabaseAnswer = 'up' | 'read_only' | 'down';

const TOO_MANY_CONNECTIONS = '53300';
const QUESTION = `SELECT current_setting('transaction_read_only') = 'on' AS "onlyReads"`;

/**
 * What the server answers within `limitMs`. While all of the pool's connections are at work it is asked on one of its own: a place in the line
 * for them says nothing of the server. A question without an answer holds no connection of the pool afterwards.
 */
export async function databaseAnswer(pool: pg.Pool, limitMs: number): Promise<DatabaseAnswer> {
  const isBusy = pool.idleCount === 0 && pool.totalCount >= (pool.options.max ?? 1);
  const late = new Promise<DatabaseAnswer>((resolve) => setTimeout(() => resolve('down'), limitMs).unref());
  const asked = isBusy ? askAlone(pool, limitMs) : ask(pool, limitMs);
  return Promise.race([
    asked.then(
      (onlyReads) => (onlyReads ? 'read_only' : 'up'),
      // It has none to spare because we, and others, have them.
      (error: { code?: string }) => (error.code === TOO_MANY_CONNECTIONS ? 'up' : 'down'),
    ),
    late,
  ]);
}

async function ask(server: Pick<pg.ClientBase, 'query'>, limitMs: number): Promise<boolean> {
  const { rows } = await server.query<{ onlyReads: boolean }>(within(limitMs, QUESTION));
  return rows[0]!.onlyReads;
}

async function askAlone(pool: pg.Pool, limitMs: number): Promise<boolean> {
  const client = new pg.Client({ ...pool.options, connectionTimeoutMillis: limitMs });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await ask(client, limitMs);
  } finally {
    client.end().catch(() => undefined);
  }
}
