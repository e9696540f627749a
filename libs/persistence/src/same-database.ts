import { openSession } from './open-session.js';

/** Two addresses of one service name two databases. The message is one line that says what to do. */
export class MixedDatabasesError extends Error {
  constructor(names: readonly string[], found: readonly string[]) {
    super(
      `${names.join(' and ')} must name one database with different users, not ${[...new Set(found)].join(' and ')}` +
        `${new Set(found).size === 1 ? ' of two servers' : ''}: set the right ones.`,
    );
    this.name = 'MixedDatabasesError';
  }
}

interface Found {
  readonly name: string;
  readonly oid: string;
  /** Null where not everybody may know it. */
  readonly server: string | null;
}

async function find(url: string): Promise<Found> {
  const session = await openSession(url, 'kontor-provision');
  try {
    const { rows } = await session.query<{ name: string; oid: string; readable: boolean }>(
      `SELECT datname AS name, oid::text, has_function_privilege('pg_control_system()', 'EXECUTE') AS readable
       FROM pg_database WHERE datname = current_database()`,
    );
    const { name, oid, readable } = rows[0]!;
    const server = readable
      ? await session.query('SELECT system_identifier::text AS id FROM pg_control_system()')
      : null;
    return { name, oid, server: (server?.rows[0] as { id: string } | undefined)?.id ?? null };
  } finally {
    await session.end();
  }
}

/**
 * The roles of a service meet in one database. With the address of another service's it would be migrated in one and write into the other:
 * tables that are in all of them have the same names. `urls`: by the variable that names it, for people.
 * @throws MixedDatabasesError
 */
export async function refuseMixedDatabases(urls: Readonly<Record<string, string>>): Promise<void> {
  const found = await Promise.all(Object.values(urls).map(find));
  // Who may not know the server says nothing about it.
  const servers = new Set(found.map(({ server }) => server).filter((server) => server !== null));
  const isOne = found.every(({ name, oid }) => name === found[0]!.name && oid === found[0]!.oid);
  if (isOne && servers.size <= 1) return;
  throw new MixedDatabasesError(
    Object.keys(urls),
    found.map(({ name }) => name),
  );
}
