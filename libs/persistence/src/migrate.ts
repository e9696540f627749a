import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { countsTenants, expectLargeTenants } from './expect-large-tenants.js';
import './type-parsers.js';
import { openSession } from './open-session.js';
import { serverVersion } from './server-version.js';

/** One forward step of a database. `name` orders nothing: the list does. `{{app}}`, `{{owner}}`, `{{lookup}}`, `{{ingest}}` are role names. */
export interface Migration {
  readonly name: string;
  readonly sql: string;
}

/** Role names of one service's database. */
export interface DatabaseRoles {
  readonly owner: string;
  readonly app: string;
  /** Owns the look-up functions; cannot log in. */
  readonly lookup: string;
  /** Inserts into leaf partitions only. */
  readonly ingest: string;
}

export const rolesOf = (service: string): DatabaseRoles => ({
  owner: `kontor_${service}_owner`,
  app: `kontor_${service}_app`,
  lookup: `kontor_${service}_lookup`,
  ingest: `kontor_${service}_ingest`,
});

/** The database holds migrations that this version does not know. The message is one line that says what to do. */
export class NewerDatabaseError extends Error {
  constructor(database: string, migration: string) {
    super(
      `The database ${database} is from a newer version (it has migration ${migration}): start that version, or use another DATA_DIR.`,
    );
    this.name = 'NewerDatabaseError';
  }
}

/** Somebody keeps a table for long that a step changes. The message is one line that says what to do. */
export class BusyDatabaseError extends Error {
  constructor(database: string, cause: unknown) {
    super(
      `A table of the database ${database} is in use for long, so that it cannot be brought to this version (${(cause as Error).message}): ` +
        'let the backup or the session that has it open (pg_stat_activity) come to its end, then start again.',
      { cause },
    );
    this.name = 'BusyDatabaseError';
  }
}

export interface MigrateOptions {
  /** How long a table may be in use before this is given up. */
  readonly patienceMs?: number;
}

const ADVISORY_LOCK = 7_305_881_224;
/**
 * Whoever asks for a table behind a step that waits for it waits as well, also who only reads: those of the version before, which go on
 * meanwhile, and for as long as somebody (a backup by pg_dump) reads it. So a step waits no longer than this, and all begin again later.
 */
const LOCK_TIMEOUT_MS = 1_000;
const PAUSE_MS = { first: 1_000, max: 8_000 };
const PATIENCE_MS = 60_000;
/** A lock that did not come in time, or two who waited for each other: requests of the version before go on meanwhile. */
const IN_USE: ReadonlySet<unknown> = new Set(['55P03', '40P01']);

/**
 * Brings a database to the last of `migrations`, all missing steps in one transaction. Several processes may call it at once:
 * one works, the others find nothing left. Returns the names that were applied.
 * @throws NewerDatabaseError and changes nothing when the database is ahead; BusyDatabaseError, and changes nothing;
 * OldServerError
 */
export async function migrate(
  ownerUrl: string,
  migrations: readonly Migration[],
  roles: DatabaseRoles,
  { patienceMs = PATIENCE_MS }: MigrateOptions = {},
): Promise<string[]> {
  const names = new Set(migrations.map((migration) => migration.name));
  if (names.size !== migrations.length) throw new Error('two migrations have the same name');
  const client = await openSession(ownerUrl, 'kontor-migrate');
  try {
    await serverVersion(client);
    const prepared = await client.query<{ there: boolean }>(
      `SELECT to_regclass('public.schema_migration') IS NOT NULL AS there`,
    );
    if (prepared.rows[0]?.there && (await missing(client, migrations)).length === 0 && !(await countsTenants(client)))
      return [];
    const until = performance.now() + patienceMs;
    for (let pauseMs = PAUSE_MS.first; ; pauseMs = Math.min(pauseMs * 2, PAUSE_MS.max)) {
      try {
        return await apply(client, migrations, roles);
      } catch (error) {
        if (!IN_USE.has((error as { code?: string }).code)) throw error;
        if (performance.now() + pauseMs > until) throw new BusyDatabaseError(client.database ?? '', error);
        await client.query('ROLLBACK');
        await sleep(pauseMs);
      }
    }
  } finally {
    await client.end();
  }
}

/** @throws NewerDatabaseError */
async function missing(client: pg.Client, migrations: readonly Migration[]): Promise<Migration[]> {
  const { rows } = await client.query<{ name: string }>('SELECT name FROM schema_migration');
  const [known, applied] = [new Set(migrations.map(({ name }) => name)), new Set(rows.map(({ name }) => name))];
  for (const name of applied) if (!known.has(name)) throw new NewerDatabaseError(client.database ?? '', name);
  return migrations.filter(({ name }) => !applied.has(name));
}

async function apply(client: pg.Client, migrations: readonly Migration[], roles: DatabaseRoles): Promise<string[]> {
  await client.query('BEGIN');
  // As long as it takes: who has it changes the same database.
  await client.query(`SELECT pg_advisory_xact_lock(${ADVISORY_LOCK})`);
  await client.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
  await client.query(prepare(roles));
  const steps = await missing(client, migrations);
  for (const step of steps) {
    await client.query(withRoles(step.sql, roles)).catch((error: Error & { code?: string }) => {
      const { message, code } = error;
      throw Object.assign(new Error(`migration ${step.name} failed: ${message}`, { cause: error }), { code });
    });
    await client.query('INSERT INTO schema_migration (name) VALUES ($1)', [step.name]);
  }
  await expectLargeTenants(client);
  await client.query('COMMIT');
  return steps.map((step) => step.name);
}

const prepare = (roles: DatabaseRoles): string => `
CREATE TABLE IF NOT EXISTS schema_migration (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now());
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ${roles.app};
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE, SELECT ON SEQUENCES TO ${roles.app};
`;

const withRoles = (sql: string, roles: DatabaseRoles): string =>
  sql.replace(/\{\{(app|owner|lookup|ingest)\}\}/g, (_match, role: keyof DatabaseRoles) => roles[role]);
