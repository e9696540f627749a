import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testPostgresUrl } from '@kontor/testing';
import pg from 'pg';
import {
  BusyDatabaseError,
  claimDatabase,
  ForeignDatabaseError,
  migrate,
  MixedDatabasesError,
  NewerDatabaseError,
  persistenceMigrations,
  provisionDatabase,
  type ProvisionedDatabase,
  refuseMixedDatabases,
  rolesOf,
} from '../src/index.js';
import { openSession } from '../src/open-session.js';

describe('migrations', () => {
  let made: ProvisionedDatabase;
  const databaseName = `test_migrations_${process.pid}`;
  const roles = rolesOf('notes');
  const step = (n: number, sql = `CREATE TABLE t${n} (a int)`): { name: string; sql: string } => ({
    name: `000${n}`,
    sql,
  });

  beforeAll(async () => {
    made = await provisionDatabase(
      testPostgresUrl(),
      'notes',
      { owner: 'test-owner', app: 'test-app' },
      { databaseName },
    );
  });
  afterAll(async () => {
    const admin = new pg.Client({ connectionString: testPostgresUrl() });
    await admin.connect();
    await admin.query(`DROP DATABASE ${databaseName} WITH (FORCE)`);
    await admin.end();
  });

  const run = (...more: { name: string; sql: string }[]): Promise<string[]> =>
    migrate(made.ownerUrl, [...persistenceMigrations, ...more], roles);

  it('takes the addresses of both roles for one database, and refuses that of another one', async () => {
    await refuseMixedDatabases({ DATABASE_URL: made.appUrl, DATABASE_OWNER_URL: made.ownerUrl });
    const mixed = refuseMixedDatabases({ DATABASE_URL: testPostgresUrl(), DATABASE_OWNER_URL: made.ownerUrl });
    await expect(mixed).rejects.toThrow(MixedDatabasesError);
    await expect(mixed).rejects.toThrow(
      `DATABASE_URL and DATABASE_OWNER_URL must name one database with different users, not postgres and ${databaseName}: set`,
    );
  });

  it('takes them for one where only one of both may know the server', async () => {
    const url = new URL(testPostgresUrl());
    url.pathname = `/${databaseName}`;
    const admin = new pg.Client({ connectionString: url.href });
    await admin.connect();
    try {
      await admin.query('REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC');
      await refuseMixedDatabases({ DATABASE_URL: made.appUrl, DATABASE_OWNER_URL: url.href });
    } finally {
      await admin.query('GRANT EXECUTE ON FUNCTION pg_control_system() TO PUBLIC');
      await admin.end();
    }
  });

  it('eight processes at once apply each step once', async () => {
    const applied = await Promise.all(Array.from({ length: 8 }, () => run(step(1), step(2))));
    expect(applied.flat().sort()).toEqual([
      '0001',
      '0002',
      'persistence_0001_infrastructure',
      'persistence_0002_principal_of_a_key',
      'persistence_0003_store_copies',
      'persistence_0004_presence',
      'persistence_0005_closed_tenants',
      'persistence_0006_presence_up_to_now',
    ]);
    expect(await run(step(1), step(2))).toEqual([]);
  });

  it('a step that fails leaves nothing, and names itself', async () => {
    await expect(run(step(1), step(2), step(3), step(4, 'CREATE TABLE nonsense ('))).rejects.toMatchObject({
      message: expect.stringMatching(/^migration 0004 failed/),
      code: '42601',
    });
    expect(await run(step(1), step(2), step(3))).toEqual(['0003']);
  });

  it('a step waits for a table that somebody reads for long, and keeps nobody else waiting for it', async () => {
    const sessions = await Promise.all([1, 2].map(() => openSession(made.ownerUrl, 'test')));
    const [backup, other] = sessions as [pg.Client, pg.Client];
    await backup.query('BEGIN; LOCK TABLE t1 IN ACCESS SHARE MODE');
    const change = step(4, 'ALTER TABLE t1 ADD COLUMN b int');
    const steps = [...persistenceMigrations, ...[1, 2, 3].map((n) => step(n)), change];
    const refused = await migrate(made.ownerUrl, steps, roles, { patienceMs: 0 }).catch((e: Error) => e);
    expect(refused).toBeInstanceOf(BusyDatabaseError);
    expect((refused as Error).message).toMatch(/test_migrations.*migration 0004.*lock timeout.*start again/);
    expect((refused as Error).message).not.toContain('\n');
    const waiting = migrate(made.ownerUrl, steps, roles);
    const isAsked = `SELECT 1 FROM pg_locks WHERE relation = 't1'::regclass AND NOT granted`;
    for (let times = 0; times < 2; times++) {
      while ((await backup.query(isAsked)).rowCount === 0);
      // While the backup goes on.
      expect((await other.query('SELECT a FROM t1')).rows).toEqual([]);
    }
    await backup.query('COMMIT');
    expect(await waiting).toEqual(['0004']);
    expect((await other.query('SELECT b FROM t1')).rows).toEqual([]);
    await Promise.all(sessions.map((session) => session.end()));
  });

  it('a newer database is refused in one line, and not changed', async () => {
    const error = await run(step(1)).catch((e: Error) => e);
    expect(error).toBeInstanceOf(NewerDatabaseError);
    expect((error as Error).message).toMatch(/newer version.*start that version/);
    expect((error as Error).message).not.toContain('\n');
  });

  it('provisioning that was interrupted begins anew', async () => {
    const name = `${databaseName}_again`;
    const admin = new pg.Client({ connectionString: testPostgresUrl() });
    await admin.connect();
    // As it stands when a start was killed before the rights were given.
    await admin.query(`CREATE DATABASE ${name}_partial`);
    const again = await provisionDatabase(
      testPostgresUrl(),
      'notes',
      { owner: 'test-owner', app: 'test-app' },
      { databaseName: name },
    );
    const { rows } = await admin.query('SELECT datname FROM pg_database WHERE datname LIKE $1', [`${name}%`]);
    expect(rows).toEqual([{ datname: name }]);
    expect((await migrate(again.ownerUrl, persistenceMigrations, roles)).length).toBeGreaterThan(0);
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await admin.end();
  });

  it('a database belongs to the key that its secrets are under, until that is changed by naming both', async () => {
    const [first, second] = ['11'.repeat(32), '22'.repeat(32)];
    await Promise.all(Array.from({ length: 8 }, () => claimDatabase(made.ownerUrl, first, [])));
    await claimDatabase(made.ownerUrl, first, []);
    const refused = await claimDatabase(made.ownerUrl, second, []).catch((error: Error) => error);
    expect(refused).toBeInstanceOf(ForeignDatabaseError);
    expect((refused as Error).message).toMatch(/SECRETS_KEY.*restore it/);
    expect((refused as Error).message).not.toContain('\n');
    await claimDatabase(made.ownerUrl, second, [first]);
    await expect(claimDatabase(made.ownerUrl, first, [])).rejects.toThrow(ForeignDatabaseError);
    // Who may write nothing on the database is not kept from it.
    await claimDatabase(made.appUrl, second, []);
  });

  it('an earlier key is needed for as long as secrets may be under it', async () => {
    const [first, second, third] = ['22'.repeat(32), '33'.repeat(32), '44'.repeat(32)];
    const claim = (key: string, previous: readonly string[], isMixed = true) =>
      claimDatabase(made.ownerUrl, key, previous, { isMixed });
    await claim(second, [first]);
    const refused = await claim(second, []).catch((error: Error) => error);
    expect(refused).toBeInstanceOf(ForeignDatabaseError);
    expect((refused as Error).message).toMatch(/^Some secrets in the database .* SECRETS_KEY_PREVIOUS[^\n]*$/);
    // Nor is the way back open without both, and a third key needs them all.
    await expect(claim(first, [])).rejects.toThrow(ForeignDatabaseError);
    await expect(claim(third, [second])).rejects.toThrow(ForeignDatabaseError);
    await claim(third, [second, first]);
    await claim(third, [second, first], false);
    await claim(third, []);
  });

  it('provisioning again changes nothing but passwords', async () => {
    const again = await provisionDatabase(
      testPostgresUrl(),
      'notes',
      { owner: 'test-owner', app: 'test-app' },
      { databaseName },
    );
    expect(again).toEqual(made);
    expect(await run(step(1), step(2), step(3), step(4))).toEqual([]);
  });

  it('a step that waits for a request which waits for it begins again, too', async () => {
    const other = await openSession(made.ownerUrl, 'test');
    await other.query('CREATE SEQUENCE tries');
    const inUse = `DO $$ BEGIN IF nextval('tries') = 1 THEN RAISE 'as it happens' USING ERRCODE = 'deadlock_detected'; END IF; END $$`;
    const steps = [...persistenceMigrations, ...[1, 2, 3, 4].map((n) => step(n)), step(5, inUse)];
    expect(await migrate(made.ownerUrl, steps, roles)).toEqual(['0005']);
    expect((await other.query('SELECT last_value FROM tries')).rows).toEqual([{ last_value: 2n }]);
    await other.end();
  });
});
