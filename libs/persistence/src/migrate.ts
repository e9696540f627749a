import { countsTenants, expectLargeTenants } from './expect-large-tenants.js';
import './type-parsers.js';
import { openSession } from './open-session.js';

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

const ADVISORY_LOCK = 7_305_881_224;

/**
 * Brings a database to the last of `migrations`, all missing steps in one transaction. Several processes may call it at once:
 * one works, the others find nothing left. Returns the names that were applied.
 * @throws NewerDatabaseError and changes nothing when the database is ahead.
 */
export async function migrate(
  ownerUrl: string,
  migrations: readonly Migration[],
  roles: DatabaseRoles,
): Promise<string[]> {
  const names = new Set(migrations.map((migration) => migration.name));
  if (names.size !== migrations.length) throw new Error('two migrations have the same name');
  const client = await openSession(ownerUrl, 'kontor-migrate');
  try {
    const missing = async (): Promise<Migration[]> => {
      const applied = new Set(
        (await client.query<{ name: string }>('SELECT name FROM schema_migration')).rows.map((row) => row.name),
      );
      for (const name of applied) if (!names.has(name)) throw new NewerDatabaseError(client.database ?? '', name);
      return migrations.filter((migration) => !applied.has(migration.name));
    };
    const prepared = await client.query<{ there: boolean }>(
      `SELECT to_regclass('public.schema_migration') IS NOT NULL AS there`,
    );
    if (prepared.rows[0]?.there && (await missing()).length === 0 && !(await countsTenants(client))) return [];
    await client.query('BEGIN');
    await client.query(`SELECT pg_advisory_xact_lock(${ADVISORY_LOCK})`);
    await client.query(prepare(roles));
    const steps = await missing();
    for (const step of steps) {
      await client.query(withRoles(step.sql, roles)).catch((error: Error) => {
        throw new Error(`migration ${step.name} failed: ${error.message}`, { cause: error });
      });
      await client.query('INSERT INTO schema_migration (name) VALUES ($1)', [step.name]);
    }
    await expectLargeTenants(client);
    await client.query('COMMIT');
    return steps.map((step) => step.name);
  } finally {
    await client.end();
  }
}

const prepare = (roles: DatabaseRoles): string => `
CREATE TABLE IF NOT EXISTS schema_migration (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now());
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ${roles.app};
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE, SELECT ON SEQUENCES TO ${roles.app};
`;

const withRoles = (sql: string, roles: DatabaseRoles): string =>
  sql.replace(/\{\{(app|owner|lookup|ingest)\}\}/g, (_match, role: keyof DatabaseRoles) => roles[role]);
