import { createHash, randomBytes } from 'node:crypto';
import {
  Database,
  migrate,
  type Migration,
  persistenceMigrations,
  provisionDatabase,
  rolesOf,
} from '@kontor/persistence';
import pg from 'pg';
import { FixedClock } from './fixed-clock.js';
import { TEST_POSTGRES_URL } from './jest-global-setup.js';

export interface TestDatabase {
  readonly database: Database;
  readonly clock: FixedClock;
  /** As the app role. */
  readonly appUrl: string;
  readonly ownerUrl: string;
  /** As the role that may only insert into leaf partitions; null unless asked for. */
  readonly ingestUrl: string | null;
  /** As the superuser, on this very database: for looking past row-level security. */
  readonly adminUrl: string;
  /** Every tenant's rows of a statement, past row-level security. */
  peek<Row = Record<string, unknown>>(sql: string, params?: unknown[]): Promise<Row[]>;
  /** Closes the connections and drops the database. */
  drop(): Promise<void>;
}

export interface TestDatabaseOptions {
  readonly now?: Date;
  readonly poolSize?: number;
  readonly ingest?: boolean;
}

const PASSWORDS = { owner: 'test-owner', app: 'test-app' };
const TEMPLATE_LOCK = 7_305_881_226;

/** The run's PostgreSQL, as superuser. @throws Error outside of a jest run with its globalSetup. */
export function testPostgresUrl(): string {
  const url = process.env[TEST_POSTGRES_URL];
  if (!url) throw new Error(`${TEST_POSTGRES_URL} is not set: run jest with the globalSetup of @kontor/testing.`);
  return url;
}

/**
 * A fresh database of one service, migrated, for one test file: copied from a template that is made once per set of
 * migrations. The migrations of persistence come first and need not be named.
 */
export async function testDatabase(
  service: string,
  migrations: readonly Migration[],
  rows: readonly Function[],
  options: TestDatabaseOptions = {},
): Promise<TestDatabase> {
  const all = [
    ...persistenceMigrations,
    ...migrations.filter((migration) => !persistenceMigrations.includes(migration)),
  ];
  const adminUrl = testPostgresUrl();
  const template = await templateOf(adminUrl, service, all, options.ingest ?? false);
  const databaseName = `test_${service}_${randomBytes(5).toString('hex')}`;
  await asAdmin(adminUrl, async (admin) => {
    // Its files are copied as they are: through the log, page by page, takes three times the work.
    await admin.query(
      `CREATE DATABASE ${databaseName} TEMPLATE ${template.name} STRATEGY FILE_COPY OWNER ${rolesOf(service).owner}`,
    );
    await admin.query(
      `REVOKE ALL ON DATABASE ${databaseName} FROM PUBLIC; GRANT CONNECT ON DATABASE ${databaseName} TO ${rolesOf(service).app}`,
    );
    if (options.ingest) await admin.query(`GRANT CONNECT ON DATABASE ${databaseName} TO ${rolesOf(service).ingest}`);
  });
  const at = (role: string, password: string): string => {
    const url = new URL(adminUrl);
    url.pathname = `/${databaseName}`;
    return Object.assign(url, { username: role, password }).href;
  };
  const clock = new FixedClock(options.now);
  const appUrl = at(rolesOf(service).app, PASSWORDS.app);
  const database = await Database.connect({
    serviceName: service,
    appUrl,
    rows,
    clock: () => clock.now(),
    poolSize: options.poolSize ?? 8,
  });
  const ownUrl = new URL(adminUrl);
  ownUrl.pathname = `/${databaseName}`;
  return {
    database,
    clock,
    appUrl,
    ownerUrl: at(rolesOf(service).owner, PASSWORDS.owner),
    ingestUrl: options.ingest ? at(rolesOf(service).ingest, PASSWORDS.app) : null,
    adminUrl: ownUrl.href,
    peek: (sql, params) => asAdmin(ownUrl.href, async (admin) => (await admin.query(sql, params)).rows),
    drop: async () => {
      await database.close();
      await asAdmin(adminUrl, (admin) => admin.query(`DROP DATABASE IF EXISTS ${databaseName} WITH (FORCE)`));
    },
  };
}

async function templateOf(
  adminUrl: string,
  service: string,
  migrations: readonly Migration[],
  ingest: boolean,
): Promise<{ name: string }> {
  const digest = createHash('sha256')
    .update(JSON.stringify([migrations, ingest]))
    .digest('hex')
    .slice(0, 12);
  const name = `template_${service}_${digest}`;
  await asAdmin(adminUrl, async (admin) => {
    // Test files run in several processes: the first makes the template, the others wait for it.
    await admin.query(`SELECT pg_advisory_lock(${TEMPLATE_LOCK})`);
    const there = await admin.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (there.rowCount) return;
    const building = `building_${service}_${randomBytes(4).toString('hex')}`;
    const made = await provisionDatabase(adminUrl, service, PASSWORDS, { databaseName: building, ingest });
    await migrate(made.ownerUrl, migrations, rolesOf(service));
    await admin.query(`ALTER DATABASE ${building} RENAME TO ${name}`);
  });
  return { name };
}

async function asAdmin<T>(url: string, work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}
