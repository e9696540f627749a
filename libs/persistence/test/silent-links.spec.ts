import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { eventually, FaultProxy, testDatabase, type TestDatabase } from '@kontor/testing';
import { Database, type TenantTx } from '../src/index.js';
import { aNote, noteMigrations, NoteRow, notes } from './support.js';

const SILENCE_MS = 300;

describe('a link to the database on which nothing passes any more, and that does not end', () => {
  let db: TestDatabase;
  let proxy: FaultProxy;
  let database: Database;
  const tenantId = newUuid();

  beforeAll(async () => void (db = await testDatabase('notes', noteMigrations, [NoteRow])));
  afterAll(() => db.drop());
  beforeEach(async () => {
    const through = await FaultProxy.inFrontOf(db.appUrl);
    proxy = through.proxy;
    // With the usual limits of a statement: two minutes.
    database = await Database.connect({
      serviceName: 'notes',
      appUrl: through.url,
      rows: [NoteRow],
      poolSize: 3,
      silenceMs: SILENCE_MS,
    });
  });
  afterEach(async () => {
    await database.close();
    await proxy.close();
  });

  const look = (tx: TenantTx): Promise<unknown> => tx.query('SELECT 1');
  const inTransaction = (): Promise<unknown[]> =>
    db.peek(`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`);

  it('fails the statement that waits, and frees what its transaction has locked', async () => {
    const note = aNote(tenantId, 'first');
    await database.tenant(tenantId, (tx) => notes.insert(tx, note));
    const failing = database.tenant(tenantId, async (tx) => {
      await tx.query(`UPDATE note SET title = 'changed' WHERE id = $1`, [note.id]);
      proxy.abandon();
      await look(tx);
    });
    await expect(failing).rejects.toThrow('Connection terminated');
    await eventually(async () => (await inTransaction()).length === 0, 'the server has rolled it back');
    await database.tenant(tenantId, (tx) => tx.query(`UPDATE note SET title = 'free' WHERE id = $1`, [note.id]));
  });

  it('is noticed by ROLLBACK as well', async () => {
    const failing = database.tenant(tenantId, async (tx) => {
      await notes.insert(tx, aNote(tenantId, 'refused'));
      proxy.abandon();
      throw new Error('refused');
    });
    await expect(failing).rejects.toThrow('refused');
    await eventually(async () => (await inTransaction()).length === 0, 'the server has rolled it back');
  });

  it('ends on the server although its statement was given up before', async () => {
    await database
      .system(async (sql) => {
        await sql.query('SELECT 1');
        proxy.abandon();
        await sql.client.query({ text: 'SELECT 1', query_timeout: 50 } as never);
      })
      .catch(() => undefined);
    await eventually(async () => (await inTransaction()).length === 0, 'the server has rolled it back');
  });

  it('is found on all connections when it is found on one', async () => {
    // Work has all connections but one.
    await Promise.all([1, 2].map(() => database.tenant(tenantId, (tx) => tx.query('SELECT pg_sleep(0.1)'))));
    expect(database.pool.idleCount).toBe(2);
    proxy.abandon();
    await expect(database.tenant(tenantId, look)).rejects.toThrow('Connection terminated');
    await eventually(() => database.pool.totalCount === 0, 'the others are given up');
  });

  it('is none on which a large statement is still on its way', async () => {
    // As over a slow line: all of it is sent at once, and arrives in three seconds.
    const large = 'x'.repeat(3_000_000);
    proxy.bytesPerMs = 1_000;
    const [row] = await database.tenant(tenantId, (tx) => tx.query('SELECT length($1::text) AS length', [large]));
    expect(row).toEqual({ length: large.length });
  });

  it('is no statement that takes long', async () => {
    const slow = (seconds: number): Promise<unknown> =>
      database.tenant(tenantId, (tx) => tx.query(`SELECT pg_sleep(${seconds})`));
    await Promise.all([slow(2.5), slow(3)]);
    // Nor a connection that owes nothing, in a transaction whose work is elsewhere.
    await database.tenant(tenantId, async (tx) => {
      await look(tx);
      await new Promise((resolve) => setTimeout(resolve, 2_500));
      await look(tx);
    });
  });
});
