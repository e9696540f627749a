import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { eventually, testDatabase, type TestDatabase } from '@kontor/testing';
import { Presence } from '../src/index.js';
import { DatabaseClock } from '../src/database-clock.js';
import { noteMigrations, NoteRow } from './support.js';

describe('that a process runs', () => {
  let db: TestDatabase;
  beforeAll(async () => void (db = await testDatabase('notes', noteMigrations, [NoteRow])));
  afterAll(() => db.drop());

  const presence = (): Presence => new Presence(db.database.pool, new DatabaseClock());
  const runs = async (id: string): Promise<boolean> => {
    const [row] = await db.database.statement<{ runs: boolean }>('SELECT process_runs($1) AS runs', [id]);
    return row!.runs;
  };
  const died = async (id: string): Promise<void> =>
    void (await db.peek(`UPDATE running_process SET seen_at = seen_at - interval '11 seconds' WHERE id = $1`, [id]));

  it('is known from its start to its end, and for ten seconds after its death', async () => {
    const [process, other] = [presence(), presence()];
    expect(await runs(process.id)).toBe(false);
    await Promise.all([process.start(), other.start()]);
    expect([await runs(process.id), await runs(other.id), await runs(newUuid())]).toEqual([true, true, false]);
    await process.stop();
    expect([await runs(process.id), await runs(other.id)]).toEqual([false, true]);
    await other.stop();
    const dead = presence();
    await db.peek('INSERT INTO running_process (id, seen_at) VALUES ($1, now())', [dead.id]);
    expect(await runs(dead.id)).toBe(true);
    await died(dead.id);
    expect(await runs(dead.id)).toBe(false);
  });

  it('is not known of one that died while the clock of the database was ahead', async () => {
    const [dead, process] = [newUuid(), presence()];
    await db.peek(`INSERT INTO running_process (id, seen_at) VALUES ($1, now() + interval '1 day')`, [dead]);
    expect(await runs(dead)).toBe(false);
    // One that goes on says so by the clock that was put right, also to who asks in a transaction that began before.
    await process.start();
    await db.peek(`UPDATE running_process SET seen_at = now() + interval '1 hour' WHERE id = $1`, [process.id]);
    await db.database.system(async (sql) => {
      await sql.query('SELECT 1');
      await eventually(() => runs(process.id), 'a word of the process');
      const [row] = await sql.query<{ runs: boolean }>('SELECT process_runs($1) AS runs', [process.id]);
      expect(row!.runs).toBe(true);
    });
    await process.stop();
  });

  it('is said again and again', async () => {
    const process = presence();
    await process.start();
    await died(process.id);
    await eventually(() => runs(process.id), 'a word of the process');
    await process.stop();
  });

  it('is said of nobody else by the one that works alone', async () => {
    const left = newUuid();
    await db.peek('INSERT INTO running_process (id, seen_at) VALUES ($1, now())', [left]);
    const alone = presence();
    await alone.start({ alone: true });
    expect([await runs(left), await runs(alone.id)]).toEqual([false, true]);
    await alone.stop();
  });
});
