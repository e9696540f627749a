import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DomainError, InvariantError, newUuid } from '@kontor/kernel';
import { testDatabase, type TestDatabase } from '@kontor/testing';
import {
  findIdempotencyRecord,
  type IdempotencyClaim,
  type PartResult,
  requestScope,
  SharedTransactions,
  type TenantTx,
} from '../src/index.js';
import { aNote, noteMigrations, NoteRow, notes as noteTable } from './support.js';

describe('requests that share a transaction', () => {
  let db: TestDatabase;
  const tenantId = newUuid();
  beforeAll(async () => void (db = await testDatabase('notes', noteMigrations, [NoteRow])));
  afterAll(() => db.drop());

  const claim = (key: string): IdempotencyClaim => ({
    tenantId,
    key,
    operation: 'POST /notes',
    bodyHash: 'h',
    process: newUuid(),
    principal: 'api_key one',
    claimed: false,
  });
  const refused = (): DomainError => new DomainError('no_such_thing');

  /** Notes by their titles; `no…` is refused, `bug` is a fault of the code. */
  function notes() {
    const batches: number[] = [];
    const work = async (tx: TenantTx, titles: readonly string[]): Promise<PartResult<string>[]> => {
      batches.push(titles.length);
      if (titles.includes('bug')) throw new InvariantError('a bug');
      const good = titles.filter((title) => !title.startsWith('no'));
      await noteTable.insert(
        tx,
        good.map((title) => aNote(tenantId, title)),
      );
      return titles.map((title) =>
        title.startsWith('no') ? { status: 'rejected', reason: refused() } : { status: 'fulfilled', value: title },
      );
    };
    const shared = new SharedTransactions(db.database, work);
    const write = (title: string, key?: IdempotencyClaim): Promise<string> =>
      requestScope.run(key ? { idempotency: key } : {}, () => shared.run(tenantId, 'notes', title));
    return { batches, write };
  }
  const written = async (...titles: string[]): Promise<number> =>
    (await db.peek('SELECT 1 FROM note WHERE title = ANY ($1::text[])', [titles])).length;
  const find = (key: IdempotencyClaim): ReturnType<typeof findIdempotencyRecord> =>
    db.database.system((sql) => findIdempotencyRecord(sql, key));

  it('the first does not wait, those that come meanwhile go together', async () => {
    const { batches, write } = notes();
    const titles = Array.from({ length: 40 }, (_, i) => `together-${i}`);
    expect(await Promise.all(titles.map((title) => write(title)))).toEqual(titles);
    expect(batches).toEqual([1, 39]);
    expect(await written(...titles)).toBe(40);
  });

  it('each takes its own key with its answer; a refused one frees it, a taken one is refused alone', async () => {
    const { write } = notes();
    const keys = ['a', 'b', 'no c', 'd'].map((title) => ({ title, key: claim(title) }));
    await write('taken', claim('d'));
    const results = await Promise.allSettled([
      write('first'),
      ...keys.map(({ title, key }) => write(title, key)),
      write('a again', claim('a')),
    ]);
    expect(results.map((r) => (r.status === 'fulfilled' ? r.value : (r.reason as DomainError).reason))).toEqual([
      'first', 'a', 'b', 'no_such_thing', 'request_in_progress', 'request_in_progress',
    ]); // prettier-ignore
    expect(keys.map(({ key }) => key.claimed)).toEqual([true, true, false, false]);
    expect(await find(claim('b'))).toMatchObject({ answer: 'b', final: false });
    expect(await find(claim('no c'))).toBeNull();
    expect(await written('a', 'b', 'd', 'a again')).toBe(2);
  });

  it('when all are refused, nothing stays, nor their keys', async () => {
    const { write } = notes();
    const results = await Promise.allSettled([
      write('no 1', claim('no 1')),
      write('no 2', claim('no 2')),
      write('no 3', claim('no 3')),
    ]);
    expect(results.every((result) => result.status === 'rejected' && result.reason instanceof DomainError)).toBe(true);
    expect([await find(claim('no 1')), await find(claim('no 2'))]).toEqual([null, null]);
  });

  it('a fault that one of them brings is nobody else’s', async () => {
    const { batches, write } = notes();
    const results = await Promise.allSettled(
      ['x', 'y', 'bug', 'z'].map((title) => write(title, claim(`fault ${title}`))),
    );
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(batches).toEqual([1, 3, 1, 1, 1]);
    expect(await written('x', 'y', 'z')).toBe(3);
    expect(await find(claim('fault z'))).toMatchObject({ answer: 'z' });
    expect(await find(claim('fault bug'))).toBeNull();
  });

  it('when nobody knows whether it was committed, nobody tries again', async () => {
    const { batches, write } = notes();
    const pool = db.database.pool;
    const connect = pool.connect.bind(pool);
    let commits = 0;
    (pool as { connect: unknown }).connect = async () => {
      const client = await connect();
      const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
      (client as { query: unknown }).query = async (...args: unknown[]) => {
        const answer = await query(...args);
        if (args[0] === 'COMMIT' && ++commits === 2)
          throw Object.assign(new Error('Connection terminated'), { code: 'ECONNRESET' });
        return answer;
      };
      return client;
    };
    const results = await Promise.allSettled(['one', 'two', 'three'].map((title) => write(`lost ${title}`)));
    (pool as { connect: unknown }).connect = connect;
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(batches).toEqual([1, 2]);
    expect(await written('lost one', 'lost two', 'lost three')).toBe(3);
  });
});
