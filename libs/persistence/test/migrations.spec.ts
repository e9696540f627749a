import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testPostgresUrl } from '@kontor/testing';
import pg from 'pg';
import {
  migrate,
  NewerDatabaseError,
  persistenceMigrations,
  provisionDatabase,
  type ProvisionedDatabase,
  rolesOf,
} from '../src/index.js';

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
    ]);
    expect(await run(step(1), step(2))).toEqual([]);
  });

  it('a step that fails leaves nothing, and names itself', async () => {
    await expect(run(step(1), step(2), step(3), step(4, 'CREATE TABLE nonsense ('))).rejects.toThrow(
      /migration 0004 failed/,
    );
    expect(await run(step(1), step(2), step(3))).toEqual(['0003']);
  });

  it('a newer database is refused in one line, and not changed', async () => {
    const error = await run(step(1)).catch((e: Error) => e);
    expect(error).toBeInstanceOf(NewerDatabaseError);
    expect((error as Error).message).toMatch(/newer version.*start that version/);
    expect((error as Error).message).not.toContain('\n');
  });

  it('provisioning again changes nothing but passwords', async () => {
    const again = await provisionDatabase(
      testPostgresUrl(),
      'notes',
      { owner: 'test-owner', app: 'test-app' },
      { databaseName },
    );
    expect(again).toEqual(made);
    expect(await run(step(1), step(2), step(3))).toEqual([]);
  });
});
