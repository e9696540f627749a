import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid, prepared } from '@kontor/kernel';
import { testDatabase, type TestDatabase } from '@kontor/testing';
import type { TenantTx } from '../src/index.js';
import { aNote, noteMigrations, NoteRow, notes } from './support.js';

const TITLES = prepared('SELECT title FROM note WHERE title = ANY($1) ORDER BY title');

describe('a prepared statement', () => {
  let db: TestDatabase;
  const [tenant, other] = [newUuid(), newUuid()];
  const titles = (tx: TenantTx) => tx.query<{ title: string }>(TITLES, [['first', 'second']]);
  const kept = (tx: TenantTx) =>
    tx.query<{ times: number }>(
      `SELECT generic_plans + custom_plans AS times FROM pg_prepared_statements WHERE statement = $1`,
      [TITLES],
    );

  beforeAll(async () => {
    db = await testDatabase('notes', noteMigrations, [NoteRow]);
    await db.database.tenant(tenant, (tx) => notes.insert(tx, aNote(tenant, 'first')));
    await db.database.tenant(other, (tx) => notes.insert(tx, aNote(other, 'second')));
  });
  afterAll(() => db.drop());

  it('is kept by its connection, and shows each tenant its own rows', async () => {
    for (let n = 0; n < 10; n++) {
      expect(await db.database.tenant(tenant, titles, { pipelined: true })).toEqual([{ title: 'first' }]);
      expect(await db.database.tenant(other, titles)).toEqual([{ title: 'second' }]);
    }
    const [row, ...others] = await db.database.tenant(tenant, kept);
    expect(Number(row?.times)).toBe(20);
    expect(others).toEqual([]);
  });

  it('may be asked for twice at once, and again after a failure', async () => {
    const twice = (tx: TenantTx) => Promise.all([titles(tx), titles(tx)]);
    const failed = (tx: TenantTx) => Promise.all([tx.query('SELECT 1 / 0'), titles(tx)]);
    for (const options of [{}, { pipelined: true }, { atOnce: true }]) {
      expect(await db.database.tenant(tenant, twice, options)).toEqual([[{ title: 'first' }], [{ title: 'first' }]]);
      await expect(db.database.tenant(tenant, failed, options)).rejects.toThrow(/division by zero/);
      expect(await db.database.tenant(tenant, twice, options)).toEqual([[{ title: 'first' }], [{ title: 'first' }]]);
    }
  });

  it('is what rows are inserted by, once that is often', async () => {
    const inserts = (tx: TenantTx) =>
      tx.query(`SELECT name FROM pg_prepared_statements WHERE statement LIKE 'INSERT INTO note %'`);
    await db.database.tenant(tenant, async (tx) => {
      await notes.insert(tx, aNote(tenant, 'third'));
      expect(await inserts(tx)).toEqual([]);
      for (let n = 0; n < 100; n++) await notes.insert(tx, aNote(tenant, `note ${n}`));
      expect(await inserts(tx)).toHaveLength(1);
    });
  });
});
