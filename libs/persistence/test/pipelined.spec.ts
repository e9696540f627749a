import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { testDatabase, type TestDatabase } from '@kontor/testing';
import type { Socket } from 'node:net';
import type { TenantOptions, TenantTx } from '../src/index.js';
import { aNote, noteMigrations, NoteRow, notes } from './support.js';

describe('a pipelined transaction', () => {
  let db: TestDatabase;
  const tenant = newUuid();
  const read = <T>(work: (tx: TenantTx) => Promise<T>): Promise<T> =>
    db.database.tenant(tenant, work, { pipelined: true });

  beforeAll(async () => {
    db = await testDatabase('notes', noteMigrations, [NoteRow]);
    await db.database.tenant(tenant, (tx) => notes.insert(tx, aNote(tenant, 'first')));
  });
  afterAll(() => db.drop());

  /** How often the connection's socket is written to meanwhile. */
  async function packetsOf(work: (tx: TenantTx) => Promise<unknown>, options: TenantOptions): Promise<number> {
    let packets = 0;
    const restore: (() => void)[] = [];
    const count = (client: unknown): void => {
      const { stream } = (client as { connection: { stream: Socket } }).connection;
      for (const name of ['_write', '_writev'] as const) {
        const original = stream[name]!.bind(stream) as (...args: unknown[]) => void;
        stream[name] = (...args: unknown[]) => {
          packets++;
          original(...args);
        };
        restore.push(() => delete (stream as Partial<Socket>)[name]);
      }
    };
    db.database.pool.on('acquire', count);
    try {
      await db.database.tenant(tenant, work, options);
    } finally {
      db.database.pool.removeListener('acquire', count);
      restore.forEach((undo) => undo());
    }
    return packets;
  }

  it('begins in the packet of its first statements, which share it', async () => {
    const work = (tx: TenantTx) => Promise.all([tx.query('SELECT 1'), tx.query('SELECT title FROM note')]);
    expect(await packetsOf(work, { pipelined: true })).toBe(2);
    expect(await packetsOf(work, { readOnly: true })).toBe(4);
  });

  it('also ends in that packet where nothing is asked for later, which would fail', async () => {
    const all = (tx: TenantTx) => Promise.all([tx.query('SELECT 1 AS n'), tx.query('SELECT title FROM note')]);
    const ask = <T>(work: (tx: TenantTx) => Promise<T>) => db.database.tenant(tenant, work, { atOnce: true });
    expect(await packetsOf(all, { atOnce: true })).toBe(1);
    for (let n = 0; n < 10; n++) {
      expect(await ask(all)).toEqual([[{ n: 1 }], [{ title: 'first' }]]);
      await expect(ask(async (tx) => [await all(tx), await all(tx)])).rejects.toThrow(/transaction has ended/);
      await expect(ask((tx) => tx.query('SELECT 1 / 0'))).rejects.toThrow(/division by zero/);
      await expect(ask(() => Promise.reject(new Error('of the work')))).rejects.toThrow('of the work');
      await expect(ask((tx) => notes.insert(tx, aNote(tenant)))).rejects.toThrow(/read-only/);
      expect(await read((tx) => tx.query('SELECT 4 AS n'))).toEqual([{ n: 4 }]);
    }
  });

  it('is not needed for the first statement of work whose time is given', async () => {
    const now = new Date('2026-04-01T00:00:00.000Z');
    const work = async (tx: TenantTx) => {
      expect(tx.now).toEqual(now);
      await notes.insert(tx, aNote(tenant, 'at its time'));
      return Promise.all([tx.query('SELECT 1 AS n'), tx.query('SELECT 2 AS n')]);
    };
    expect(await packetsOf(work, { now })).toBe(4);
    expect(await db.database.tenant(tenant, work, { now })).toEqual([[{ n: 1 }], [{ n: 2 }]]);
    const failing = db.database.tenant(tenant, (tx) => tx.query('SELECT 1 / 0'), { now });
    await expect(failing).rejects.toThrow(/division by zero/);
    const idle = db.database.tenant(tenant, () => Promise.reject(new Error('of the work')), { now });
    await expect(idle).rejects.toThrow('of the work');
    expect(await db.database.tenant(tenant, () => Promise.resolve('nothing asked'), { now })).toBe('nothing asked');
    expect(await db.database.tenant(tenant, (tx) => notes.delete(tx, { title: 'at its time' }), { now })).toBe(2);
  });

  it('answers each statement with its own rows, of its tenant alone', async () => {
    expect(
      await read((tx) => Promise.all([1, 2, 3].map((n) => tx.query('SELECT $1::int AS n, title FROM note', [n])))),
    ).toEqual([[{ n: 1, title: 'first' }], [{ n: 2, title: 'first' }], [{ n: 3, title: 'first' }]]);
    const other = db.database.tenant(newUuid(), (tx) => tx.query('SELECT title FROM note'), { pipelined: true });
    expect(await other).toEqual([]);
  });

  it('knows the time from the first answer on, as a frozen clock has it', async () => {
    const frozen = new Date('2031-05-05T05:05:05.000Z');
    await db.peek('INSERT INTO tenant_clock VALUES ($1, $2)', [tenant, frozen]);
    await read(async (tx) => {
      expect(() => tx.now).toThrow(/from its first answer on/);
      await tx.query('SELECT 1');
      expect(tx.now).toEqual(frozen);
    });
    expect(await read(() => Promise.resolve('nothing asked'))).toBe('nothing asked');
  });

  it('reads only, and one that fails leaves the connection as it was', async () => {
    await expect(read((tx) => notes.insert(tx, aNote(tenant)))).rejects.toThrow(/read-only/);
    for (let n = 0; n < 10; n++) {
      const failing = read((tx) =>
        Promise.all([tx.query('SELECT 1'), tx.query('SELECT 1 / 0'), tx.query('SELECT 2'), tx.query('SELECT 3')]),
      );
      await expect(failing).rejects.toThrow(/division by zero/);
      await expect(read(() => Promise.reject(new Error('of the work')))).rejects.toThrow('of the work');
      expect(await read((tx) => tx.query('SELECT 4 AS n'))).toEqual([{ n: 4 }]);
    }
    await db.database.tenant(tenant, (tx) => notes.insert(tx, aNote(tenant, 'second')));
    expect(await read((tx) => notes.count(tx, {}))).toBe(2);
  });
});

describe('any other transaction', () => {
  let db: TestDatabase;
  const tenant = newUuid();

  beforeAll(async () => {
    db = await testDatabase('notes', noteMigrations, [NoteRow]);
  });
  afterAll(() => db.drop());

  it('answers what is asked for at once', async () => {
    const answers = await db.database.tenant(tenant, (tx) =>
      Promise.all([1, 2, 3].map((n) => tx.query('SELECT $1::int AS n', [n]))),
    );
    expect(answers).toEqual([[{ n: 1 }], [{ n: 2 }], [{ n: 3 }]]);
  });

  it('fails for the reason of what failed first, whichever of them says so first, and is repeated where that passes', async () => {
    // What is asked for behind more promises is heard of later.
    const later = async (work: Promise<unknown>): Promise<unknown> => (async () => (async () => work)())();
    const bad = (tx: TenantTx) => Promise.all([later(tx.query('SELECT 1 / 0')), tx.query('SELECT 1')]);
    for (const options of [{}, { pipelined: true }, { atOnce: true }])
      await expect(db.database.tenant(tenant, bad, options)).rejects.toThrow(/division by zero/);
    let runs = 0;
    const collides = `DO $$ BEGIN RAISE 'in vain' USING ERRCODE = '40P01'; END $$`;
    const done = await db.database.tenant(tenant, (tx) =>
      Promise.all([later(tx.query(runs++ === 0 ? collides : 'SELECT 1')), tx.query('SELECT 1 AS n')]),
    );
    expect([done[1], runs]).toEqual([[{ n: 1 }], 2]);
  });

  it('runs nothing of it after its end when one of them fails', async () => {
    await db.peek('CREATE SEQUENCE asked');
    await db.peek('GRANT USAGE ON SEQUENCE asked TO PUBLIC');
    const failing = db.database.tenant(tenant, (tx) =>
      Promise.all([tx.query('SELECT 1 / 0'), ...[1, 2, 3, 4, 5].map(() => tx.query(`SELECT nextval('asked')`))]),
    );
    await expect(failing).rejects.toThrow(/division by zero/);
    await db.database.tenant(tenant, (tx) => tx.query('SELECT 1'));
    expect(await db.peek('SELECT is_called AS asked FROM asked')).toEqual([{ asked: false }]);
  });
});
