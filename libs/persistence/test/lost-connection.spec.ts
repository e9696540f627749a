import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { eventually, FaultProxy, testDatabase, type TestDatabase } from '@kontor/testing';
import {
  completeDue,
  Database,
  type DueBatch,
  DueHandler,
  DueRunner,
  findIdempotencyRecord,
  type IdempotencyClaim,
  openAnswer,
  requestScope,
  scheduleDue,
} from '../src/index.js';
import { openSession } from '../src/open-session.js';
import { aNote, noteMigrations, NoteRow, notes } from './support.js';

describe('a connection that breaks', () => {
  let db: TestDatabase;
  let proxy: FaultProxy;
  let database: Database;
  const tenantId = newUuid();

  beforeAll(async () => void (db = await testDatabase('notes', noteMigrations, [NoteRow])));
  afterAll(() => db.drop());
  beforeEach(async () => {
    const through = await FaultProxy.inFrontOf(db.appUrl);
    proxy = through.proxy;
    database = await Database.connect({
      serviceName: 'notes',
      appUrl: through.url,
      rows: [NoteRow],
      poolSize: 2,
      queryTimeoutMs: 700,
    });
  });
  afterEach(async () => {
    proxy.heal();
    await database.close();
    await proxy.close();
  });

  const proxyUrl = (): URL => {
    const url = new URL(db.appUrl);
    url.port = String(proxy.port);
    return url;
  };
  const count = async (title: string): Promise<number> =>
    (await db.peek('SELECT 1 FROM note WHERE title = $1', [title])).length;
  const write = (title: string, before: () => void | Promise<void> = () => undefined): Promise<{ id: string }> =>
    database.tenant(tenantId, async (tx) => {
      const note = aNote(tenantId, title);
      await notes.insert(tx, note);
      await before();
      return { id: note.id };
    });

  it('in the middle of a transaction leaves nothing, and the next one works', async () => {
    await expect(write('cut', () => proxy.cut())).rejects.toThrow();
    expect(await count('cut')).toBe(0);
    await write('after the cut');
    expect(await count('after the cut')).toBe(1);
  });

  it('by a server that ends the session: the same', async () => {
    await expect(
      write(
        'ended',
        async () =>
          void (await db.peek(
            `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
             WHERE datname = current_database() AND usename = 'kontor_notes_app' AND state = 'idle in transaction'`,
          )),
      ),
    ).rejects.toThrow();
    expect(await count('ended')).toBe(0);
    await write('after the end');
  });

  it('by a server that ends the session while the connection is handed over: the process goes on', async () => {
    const client = await db.database.pool.connect();
    client.emit('error', new Error('terminating connection due to administrator command'));
    client.release(true);
    await write('after the hand-over');
    expect(await count('after the hand-over')).toBe(1);
  });

  it.each([
    ['takes no connections', 'ALTER DATABASE % ALLOW_CONNECTIONS false', 'ALTER DATABASE % ALLOW_CONNECTIONS true'],
    [
      'takes none of its user',
      'REVOKE CONNECT ON DATABASE % FROM kontor_notes_app',
      'GRANT CONNECT ON DATABASE % TO kontor_notes_app',
    ],
  ])('a database that %s is away, whatever code that has', async (what, close, open) => {
    const url = new URL(db.adminUrl);
    const name = url.pathname.slice(1);
    const admin = await openSession(Object.assign(url, { pathname: '/postgres' }).href, 'test');
    await admin.query(close.replace('%', name));
    proxy.cut();
    await eventually(async () => database.pool.totalCount === 0, 'none is left of before');
    const refused = await write('refused').catch((error: { code?: string }) => error);
    await admin.query(open.replace('%', name));
    await admin.end();
    expect(refused).toMatchObject({ code: '08004', severity: 'FATAL' });
    await write(`it no longer ${what}`);
    expect(await count(`it no longer ${what}`)).toBe(1);
  });

  it('a server that does not answer is given up, with its connection', async () => {
    await expect(write('silent', () => proxy.blackhole())).rejects.toThrow(/timeout/);
    proxy.heal();
    await write('after the silence');
    expect(await count('after the silence')).toBe(1);
  });

  it('a server that answers neither a new connection nor an open one is noticed long before a slow statement is', async () => {
    const impatient = await Database.connect({
      serviceName: 'notes',
      appUrl: proxyUrl().href,
      rows: [NoteRow],
      poolSize: 1,
      answerTimeoutMs: 500,
    });
    const look = (): Promise<unknown> => impatient.tenant(tenantId, (tx) => tx.query('SELECT 1'));
    await look();
    proxy.blackhole();
    // The open connection, and then a new one.
    await expect(look()).rejects.toThrow(/timeout/);
    await expect(look()).rejects.toThrow(/timeout/);
    proxy.heal();
    await eventually(
      async () =>
        look().then(
          () => true,
          () => false,
        ),
      'it works again',
    );
    await impatient.close();
  });

  it('a start waits for a server that does not answer yet', async () => {
    proxy.blackhole();
    const connecting = Database.connect({
      serviceName: 'notes',
      appUrl: proxyUrl().href,
      rows: [NoteRow],
      answerTimeoutMs: 200,
    });
    const outcome = connecting.then(
      () => 'connected',
      (error: Error) => error.message,
    );
    // Longer than one attempt.
    expect(await Promise.race([outcome, new Promise((resolve) => setTimeout(resolve, 500, 'waiting'))])).toBe(
      'waiting',
    );
    proxy.heal();
    expect(await outcome).toBe('connected');
    await (await connecting).close();
  });

  it('when the reply to COMMIT is lost, the retry with the same key finds the one effect', async () => {
    const seal = (text: string): string => Buffer.from(text).toString('base64');
    const claim = (): IdempotencyClaim => ({
      tenantId,
      key: 'lost',
      operation: 'POST /notes',
      bodyHash: 'h',
      process: newUuid(),
      principal: 'api_key one',
      claimed: false,
      seal,
    });
    const request = (): Promise<{ id: string }> => requestScope.run({ idempotency: claim() }, () => write('committed'));
    proxy.onRequest = (chunk) => void (proxy.dropReplies ||= chunk.includes('COMMIT'));
    await expect(request()).rejects.toThrow(/timeout/);
    proxy.heal();
    await expect(request()).rejects.toMatchObject({ reason: 'request_in_progress' });
    expect(await count('committed')).toBe(1);
    const record = await db.database.system((sql) => findIdempotencyRecord(sql, claim()));
    expect(openAnswer(record?.answer, (sealed) => Buffer.from(sealed, 'base64').toString())).toEqual({
      id: expect.any(String),
    });
  });

  it('due work that ends while the database is away is free when it is back, whatever its lease', async () => {
    let tries = 0;
    @DueHandler({ kind: 'note.lost' })
    class Worker {
      async handle({ items }: DueBatch): Promise<void> {
        if (tries++ === 0) {
          // A lease that no test would wait for.
          await db.peek(`UPDATE due_work SET lease_until = now() + interval '1 day' WHERE kind = 'note.lost'`);
          proxy.refuse();
        }
        await database.tenant(tenantId, (tx) => completeDue(tx, 'note.lost', items[0]!));
      }
    }
    await database.tenant(tenantId, (tx) => scheduleDue(tx, { kind: 'note.lost', ref: 'a', dueAt: new Date(0) }));
    const lost: Error[] = [];
    const due = new DueRunner(database, { pollMs: 20, onError: (error) => void lost.push(error) });
    due.register(new Worker());
    due.start();
    await eventually(() => lost.length > 0, 'the first try fails');
    proxy.heal();
    await eventually(async () => (await db.peek('SELECT 1 FROM due_work')).length === 0, 'the second one succeeds');
    expect(tries).toBe(2);
    await due.stop();
  });
});
