import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { testDatabase, type TestDatabase } from '@kontor/testing';
import { findIdempotencyRecord, type IdempotencyClaim, purgeIdempotencyRecords, requestScope } from '../src/index.js';
import { aNote, noteMigrations, NoteRow, notes } from './support.js';

describe('an Idempotency-Key', () => {
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
  const request = <T>(key: string, work: () => Promise<T>): Promise<T> =>
    requestScope.run({ idempotency: claim(key) }, work);
  const write = (title: string, fail = false): Promise<unknown> =>
    db.database.tenant(tenantId, async (tx) => {
      const note = aNote(tenantId, title);
      await notes.insert(tx, note);
      if (fail) throw new Error('refused');
      return { id: note.id };
    });
  const find = (key: string): ReturnType<typeof findIdempotencyRecord> =>
    db.database.system((sql) => findIdempotencyRecord(sql, claim(key)));

  it('commits with the effect, with what the work returned', async () => {
    const answer = await request('one', () => write('one'));
    expect(await find('one')).toMatchObject({ answer, final: false, bodyHash: 'h' });
  });

  it("commits with an effect in another tenant, as the operator's requests have it: of fifty at once one has it", async () => {
    const other = newUuid();
    const open = (): Promise<unknown> =>
      db.database.tenant(other, async (tx) => {
        await notes.insert(tx, aNote(other, 'elsewhere'));
        return { tenantId: other };
      });
    const results = await Promise.allSettled(Array.from({ length: 50 }, () => request('elsewhere', open)));
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    expect(await db.peek(`SELECT 1 FROM note WHERE title = 'elsewhere'`)).toHaveLength(1);
    expect(await find('elsewhere')).toMatchObject({ answer: { tenantId: other }, final: false });
  });

  it('is free again when the transaction rolls back', async () => {
    await expect(request('two', () => write('two', true))).rejects.toThrow('refused');
    expect(await find('two')).toBeNull();
    await request('two', () => write('two'));
  });

  it('fifty at once have one effect, and nobody waits for the others', async () => {
    const results = await Promise.allSettled(Array.from({ length: 50 }, () => request('fifty', () => write('fifty'))));
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    for (const result of results)
      if (result.status === 'rejected')
        expect(result.reason).toMatchObject({ reason: 'request_in_progress', kind: 'conflict' });
    expect(await db.peek(`SELECT 1 FROM note WHERE title = 'fifty'`)).toHaveLength(1);
  });

  it('is forgotten after thirty days', async () => {
    await request('old', () => write('old'));
    await db.peek(`UPDATE idempotency SET created_at = created_at - interval '31 days' WHERE key = 'old'`);
    expect(await purgeIdempotencyRecords(db.database, 30)).toBe(1);
    expect(await find('old')).toBeNull();
  });

  it('only the first transaction of a request takes it', async () => {
    await request('several', async () => {
      const first = await write('first');
      await write('second');
      expect((await find('several'))?.answer).toEqual(first);
    });
  });
});
