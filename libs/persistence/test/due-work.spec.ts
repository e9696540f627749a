import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newUuid, type Sql } from '@kontor/kernel';
import { eventually, rowsRead, statementsOf, testDatabase, type TestDatabase } from '@kontor/testing';
import { claimInTurn, claimPolled, renew } from '../src/due/claims.js';
import {
  cancelDue,
  completeDue,
  type DueBatch,
  DueHandler,
  DueRunner,
  NotYet,
  scheduleDue,
  scheduleDueMany,
  setTenantClock,
} from '../src/index.js';
import { requestScope } from '../src/request-scope.js';
import { noteMigrations, NoteRow } from './support.js';

const KIND = 'note.reminder';
const at = (text: string): Date => new Date(text);

describe('due work', () => {
  let db: TestDatabase;
  let tenantId: string;

  beforeAll(async () => void (db = await testDatabase('notes', noteMigrations, [NoteRow])));
  afterAll(() => db.drop());
  beforeEach(async () => {
    tenantId = newUuid();
    await db.peek('TRUNCATE due_work');
  });

  const schedule = (ref: string, dueAt = new Date(Date.now() - 1000), wall = false): Promise<void> =>
    db.database.tenant(tenantId, (tx) => scheduleDue(tx, { kind: KIND, ref, dueAt, wall }));
  const claim = (limit = 500): ReturnType<typeof claimPolled> =>
    db.database.system((sql) => claimPolled(sql, [KIND], limit));
  const rows = (): Promise<{ ref: string; due_at: Date; attempts: number; last_error: string | null }[]> =>
    db.peek('SELECT * FROM due_work ORDER BY ref');
  const expireLeases = (): Promise<unknown> => db.peek(`UPDATE due_work SET lease_until = now() - interval '1 second'`);

  function runner(handle: (batch: DueBatch) => Promise<void>, batchSize = 100): DueRunner {
    @DueHandler({ kind: KIND, batchSize })
    class Worker {
      handle = handle;
    }
    const made = new DueRunner(db.database, { pollMs: 50 });
    made.register(new Worker());
    return made;
  }
  const complete = (batch: DueBatch, next: (ref: string) => Date | null = () => null): Promise<void> =>
    db.database.tenant(batch.tenantId, async (tx) => {
      for (const item of batch.items) await completeDue(tx, KIND, item, next(item.ref));
    });

  it('a claim and its end change nothing that an index has', async () => {
    const definitions = await db.peek<{ indexdef: string }>(
      "SELECT indexdef FROM pg_indexes WHERE tablename = 'due_work'",
    );
    expect(definitions.length).toBeGreaterThan(1);
    const changed = /lease_until|token|rescheduled|attempts|retry_at|last_error/;
    expect(definitions.filter(({ indexdef }) => changed.test(indexdef))).toEqual([]);
  });

  it('two runners that claim at once never hold the same row', async () => {
    await db.database.tenant(tenantId, (tx) =>
      scheduleDueMany(
        tx,
        Array.from({ length: 1000 }, (_, n) => ({ kind: KIND, ref: `r${n}`, dueAt: at('2026-01-01T00:00:00Z') })),
      ),
    );
    const claims = (await Promise.all(Array.from({ length: 8 }, () => claim(200)))).flat();
    const refs = claims.flatMap((c) => c.items.map((item) => item.ref));
    expect(new Set(refs).size).toBe(refs.length);
    expect(new Set([...refs, ...(await claim(1000)).flatMap((c) => c.items.map((item) => item.ref))]).size).toBe(1000);
  });

  it('of one kind is found without reading what waits of another', async () => {
    const works = Array.from({ length: 2000 }, (_, n) => ({
      kind: KIND,
      ref: `r${n}`,
      dueAt: at('2026-01-01T00:00:00Z'),
    }));
    const other = { kind: 'note.other', ref: 'late', dueAt: at('2026-01-02T00:00:00Z') };
    await db.database.tenant(tenantId, (tx) => scheduleDueMany(tx, [...works, other]));
    await db.peek('ANALYZE due_work');
    const [asked] = await statementsOf(async () => {
      const claims = await db.database.system((sql) => claimPolled(sql, ['note.other', 'note.idle'], 500));
      expect(claims.map(({ items }) => items.map(({ ref }) => ref))).toEqual([['late']]);
    }).then((statements) => statements.filter(({ text }) => text.includes('WITH due')));
    const work = await db.database.tenant(tenantId, (tx) => rowsRead(tx, asked!.text, asked!.params));
    expect(work).toBeLessThan(100);
  });

  it('who lost the lease cannot complete', async () => {
    await schedule('a');
    const [first] = await claim();
    expect(await claim()).toEqual([]);
    await expireLeases();
    const [second] = await claim();
    const complete = (item = first!.items[0]!): Promise<void> =>
      db.database.tenant(tenantId, (tx) => completeDue(tx, KIND, item));
    await expect(complete()).rejects.toThrow(/lease/);
    await db.database.system((sql) => renew(sql, [first!]));
    await complete(second!.items[0]);
    expect(await rows()).toEqual([]);
    await expect(complete(second!.items[0])).rejects.toThrow(/lease/);
  });

  it('many leases are renewed by one statement, and one that is locked keeps no other waiting', async () => {
    for (const ref of ['a', 'b', 'c', 'lost']) await schedule(ref);
    const { pool } = db.database;
    const claims = (await claim()).flatMap((held) => held.items.map((item) => ({ ...held, items: [item] })));
    await db.peek(`UPDATE due_work SET lease_until = now() + interval '1 second'`);
    await db.peek(`UPDATE due_work SET token = nextval('due_work_token') WHERE ref = 'lost'`);
    const sql = {
      query: async (text: string, params?: readonly unknown[]) => (await pool.query(text, [...params!])).rows,
    };
    const asked = await db.database.tenant(tenantId, async (tx) => {
      await cancelDue(tx, KIND, 'b');
      return statementsOf(() => Promise.race([renew(sql as Sql, claims), sleep(2_000)]));
    });
    expect(asked).toHaveLength(1);
    const renewed = await db.peek(
      "SELECT ref FROM due_work WHERE lease_until > now() + interval '5 seconds' ORDER BY ref",
    );
    expect(renewed).toEqual([{ ref: 'a' }, { ref: 'c' }]);
  });

  it('neither a lease nor a pause of a time when the clock of the database was ahead keeps it from anybody', async () => {
    for (const ref of ['held', 'failed']) await schedule(ref);
    await db.peek(`UPDATE due_work SET lease_until = now() + interval '1 day' WHERE ref = 'held'`);
    await db.peek(`UPDATE due_work SET retry_at = now() + interval '1 hour' WHERE ref = 'failed'`);
    expect(await runner(async () => undefined).claimed(tenantId)).toBe(0);
    const refs = (claims: Awaited<ReturnType<typeof claim>>): string[] =>
      claims.flatMap(({ items }) => items.map(({ ref }) => ref)).sort();
    expect(refs(await claim())).toEqual(['failed', 'held']);
    expect(await claim()).toEqual([]);
  });

  it('a cancelled row takes the lease away', async () => {
    await schedule('a');
    const [held] = await claim();
    await db.database.tenant(tenantId, (tx) => cancelDue(tx, KIND, 'a'));
    await expect(db.database.tenant(tenantId, (tx) => completeDue(tx, KIND, held!.items[0]!))).rejects.toThrow(/lease/);
  });

  it('what is rescheduled while it is worked on is not forgotten', async () => {
    await schedule('a');
    const [held] = await claim();
    const earlier = at('2027-01-01T00:00:00Z');
    await schedule('a', earlier);
    await db.database.tenant(tenantId, (tx) => completeDue(tx, KIND, held!.items[0]!, at('2028-01-01T00:00:00Z')));
    expect((await rows()).map((row) => row.due_at)).toEqual([earlier]);
    await schedule('b');
    const [again] = await claim();
    await schedule('b', earlier);
    await db.database.tenant(tenantId, (tx) => completeDue(tx, KIND, again!.items[0]!, null));
    expect((await rows()).map((row) => row.ref)).toEqual(['a', 'b']);
  });

  it('is done once, soon after it was scheduled, and again at its next time', async () => {
    const done: string[] = [];
    const due = runner(async (batch) => {
      done.push(...batch.items.map((item) => item.ref));
      await complete(batch, (ref) =>
        ref === 'again' && done.filter((r) => r === ref).length < 3 ? new Date(Date.now() - 1) : null,
      );
    });
    due.start();
    await schedule('once');
    await schedule('again');
    await schedule('future', new Date(Date.now() + 3_600_000));
    await eventually(() => done.length >= 4, 'all items');
    await due.stop();
    expect(done.sort()).toEqual(['again', 'again', 'again', 'once']);
    expect((await rows()).map((row) => row.ref)).toEqual(['future']);
  });

  it('tenants take turns: who has much due keeps nobody waiting', async () => {
    const others = Array.from({ length: 30 }, () => newUuid());
    const dueOf = (tenant: string, count: number, dueAt: string): Promise<void> =>
      db.database.tenant(tenant, (tx) =>
        scheduleDueMany(
          tx,
          Array.from({ length: count }, (_, n) => ({ kind: KIND, ref: `r${n}`, dueAt: at(dueAt) })),
        ),
      );
    await dueOf(tenantId, 10_000, '2026-01-01T00:00:00Z');
    for (const other of others) await dueOf(other, 3, '2026-01-02T00:00:00Z');
    const done: string[] = [];
    const due = runner(async (batch) => {
      await complete(batch);
      done.push(...batch.items.map(() => batch.tenantId));
    }, 50);
    due.start();
    await eventually(() => done.length === 10_090, 'all items', { limitMs: 300_000 });
    await due.stop();
    // The first 500 are the oldest; of the next 500 everybody has a part.
    expect(done.filter((tenant) => tenant !== tenantId)).toHaveLength(90);
    expect(done.findLastIndex((tenant) => tenant !== tenantId)).toBeLessThan(1_500);
  });

  it('more tenants than fit into a turn have theirs one after the other, in one walk through an index', async () => {
    const tenants = Array.from({ length: 9 }, () => newUuid()).sort();
    for (const tenant of tenants)
      await db.database.tenant(tenant, (tx) =>
        scheduleDueMany(
          tx,
          ['a', 'b', 'c'].map((ref) => ({ kind: KIND, ref, dueAt: at('2026-01-01T00:00:00Z') })),
        ),
      );
    const turn = async (limit: number, after: string): Promise<string[]> =>
      (await db.database.system((sql) => claimInTurn(sql, KIND, limit, after)))
        .flatMap((claim) => claim.items.map(() => claim.tenantId))
        .sort();
    const first = await turn(4, '00000000-0000-0000-0000-000000000000');
    expect(first).toEqual(tenants.slice(0, 4));
    expect(await turn(4, first.at(-1)!)).toEqual(tenants.slice(4, 8));
    expect(await turn(4, tenants[7]!)).toEqual([tenants[8], tenants[8], tenants[8]]);
    expect(await turn(18, '00000000-0000-0000-0000-000000000000')).toHaveLength(16);
    expect(await turn(18, '00000000-0000-0000-0000-000000000000')).toEqual([]);
  });

  it('a tenant that has enough in hand rests while others go on, and nothing of it has failed', async () => {
    const other = newUuid();
    const dueAt = at('2026-01-01T00:00:00Z');
    const done: string[] = [];
    let turns = 0;
    let hasRoom = false;
    const due = runner(async (batch) => {
      if (batch.tenantId === tenantId) turns++;
      if (batch.tenantId === tenantId && !hasRoom) throw new NotYet(400);
      await complete(batch);
      done.push(...batch.items.map(({ ref }) => ref));
    }, 2);
    for (const ref of ['a', 'b', 'c', 'd']) await schedule(ref, dueAt);
    due.start();
    await eventually(() => turns > 0, 'the first turn');
    await db.database.tenant(other, (tx) => scheduleDue(tx, { kind: KIND, ref: 'of the other', dueAt }));
    await eventually(() => done.length === 1, 'the other one');
    expect(await rows()).toEqual(
      ['a', 'b', 'c', 'd'].map((ref) => expect.objectContaining({ ref, attempts: 0, due_at: dueAt })),
    );
    hasRoom = true;
    await eventually(() => done.length === 5, 'all');
    await due.stop();
    // Two batches each time, not one for each look at what is due.
    expect(turns).toBeLessThan(100);
  });

  it('what a stopping service was doing is free for the next, and has not failed', async () => {
    let begun = 0;
    const due = runner(async (batch) => {
      begun++;
      await new Promise((resolve) => batch.signal.addEventListener('abort', resolve, { once: true }));
      batch.signal.throwIfAborted();
    }, 1);
    for (const ref of ['a', 'b']) await schedule(ref);
    due.start();
    await eventually(() => begun === 2, 'both begun');
    await due.stop();
    expect(await rows()).toEqual(['a', 'b'].map((ref) => expect.objectContaining({ ref, attempts: 0 })));
    expect(await claim()).toHaveLength(1);
  });

  it('a bad item does not take its batch with it, and is tried again later', async () => {
    const due = runner(async (batch) => {
      if (batch.items.some((item) => item.ref === 'bad')) throw new Error('bad \0 one');
      await complete(batch);
    });
    for (const ref of ['a', 'bad', 'c']) await schedule(ref);
    due.start();
    await eventually(async () => (await rows()).length === 1, 'the good ones');
    await due.stop();
    expect(await rows()).toEqual([expect.objectContaining({ ref: 'bad', attempts: 1, last_error: 'bad \uFFFD one' })]);
  });

  it('sixteen runners do each item once', async () => {
    let done = 0;
    const runners = Array.from({ length: 16 }, () =>
      runner(async (batch) => {
        await complete(batch);
        done += batch.items.length;
      }, 7),
    );
    await db.database.tenant(tenantId, (tx) =>
      scheduleDueMany(
        tx,
        Array.from({ length: 2000 }, (_, n) => ({ kind: KIND, ref: `r${n}`, dueAt: at('2026-01-01T00:00:00Z') })),
      ),
    );
    for (const due of runners) due.start();
    await eventually(() => done >= 2000, 'all items');
    await Promise.all(runners.map((due) => due.stop()));
    expect(done).toBe(2000);
  });

  it.each([
    [300, 'something that is wrong', new Error('never')],
    [300, 'a statement that takes too long', Object.assign(new Error('canceling'), { code: '57014' })],
    [15, 'somebody who was away', Object.assign(new Error('away'), { kind: 'unavailable' })],
    [15, 'a connection that was lost', new Error('Connection terminated unexpectedly')],
    [15, 'a disk that took nothing', Object.assign(new Error('read-only file system'), { code: 'EROFS' })],
  ])('is tried again after %i seconds at most where it failed for %s', async (longest, _what, error) => {
    const due = runner(async () => {
      throw error;
    });
    await schedule('often');
    await db.peek('UPDATE due_work SET attempts = 9');
    due.start();
    await eventually(async () => (await rows())[0]?.attempts === 10, 'its tenth failure');
    await due.stop();
    const [row] = await db.peek<{ pause: number }>(
      'SELECT round(extract(epoch FROM retry_at - now()))::int AS pause FROM due_work',
    );
    expect(row!.pause).toBeLessThanOrEqual(longest);
    expect(row!.pause > 15).toBe(longest > 15);
  });

  describe('under a sandbox clock', () => {
    const freeze = (now: string): Promise<Date> => db.database.system((sql) => setTenantClock(sql, tenantId, at(now)));

    it('the clock goes forward only, and transactions see it', async () => {
      await freeze('2030-05-01T00:00:00Z');
      expect(await freeze('2029-01-01T00:00:00Z')).toEqual(at('2030-05-01T00:00:00Z'));
      expect(await db.database.tenant(tenantId, async (tx) => tx.now)).toEqual(at('2030-05-01T00:00:00Z'));
      expect(await db.database.tenant(tenantId, async (tx) => tx.now, { now: at('2030-02-02T00:00:00Z') })).toEqual(
        at('2030-02-02T00:00:00Z'),
      );
      expect(await db.database.now(newUuid())).toEqual(db.clock.now());
    });

    it('what real time has reached waits for the frozen clock, but not what stays on real time', async () => {
      await schedule('before', new Date(Date.now() - 1000));
      await schedule('wall', new Date(Date.now() - 1000), true);
      await freeze('2020-01-01T00:00:00Z');
      await schedule('after', at('2020-06-01T00:00:00Z'));
      await schedule('now', at('2020-01-01T00:00:00Z'));
      const polled = (await claim()).flatMap((c) => c.items.map((item) => item.ref));
      expect(polled.sort()).toEqual(['now', 'wall']);
    });

    it('what was scheduled while the clock was being frozen is released', async () => {
      await freeze('2020-01-01T00:00:00Z');
      await db.peek('INSERT INTO due_work (tenant_id, kind, ref, due_at, poll_at) VALUES ($1, $2, $3, now(), now())', [
        tenantId,
        KIND,
        'raced',
      ]);
      expect(await claim()).toEqual([]);
      expect(await claim()).toEqual([]);
      expect(await db.peek('SELECT 1 FROM due_work WHERE lease_until IS NULL AND poll_at IS NULL')).toHaveLength(1);
    });

    it('runDue does everything up to the time, in order, what comes up meanwhile included', async () => {
      await freeze('2030-01-01T00:00:00Z');
      const seen: string[] = [];
      const due = runner(async (batch) => {
        for (const item of batch.items) seen.push(`${item.ref}@${item.dueAt.toISOString().slice(0, 10)}`);
        expect(batch.now).toEqual(at('2030-03-01T00:00:00Z'));
        await complete(batch, (ref) => (ref === 'monthly' && seen.length < 4 ? at('2030-02-15T00:00:00Z') : null));
      });
      await schedule('monthly', at('2030-01-15T00:00:00Z'));
      await schedule('exactly', at('2030-03-01T00:00:00Z'));
      await schedule('later', at('2030-03-01T00:00:00.001Z'));
      expect(await due.nextDue(tenantId)).toEqual(at('2030-01-15T00:00:00Z'));
      expect(await due.runDue(tenantId, at('2030-03-01T00:00:00Z'))).toEqual([]);
      expect(seen).toEqual(['monthly@2030-01-15', 'exactly@2030-03-01', 'monthly@2030-02-15', 'monthly@2030-02-15']);
      expect(await due.nextDue(tenantId)).toEqual(at('2030-03-01T00:00:00.001Z'));
      expect(await due.claimed(tenantId)).toBe(0);
    });

    it.each(['2020-03-01T00:00:00Z', '2030-03-01T00:00:00Z'])(
      'what somebody holds is counted on a clock that stands at %s, and on real time before',
      async (now) => {
        const counted: number[] = [];
        const due = runner(async (batch) => {
          counted.push(await due.claimed(tenantId));
          await complete(batch);
        });
        await schedule('real');
        expect(await claim()).toHaveLength(1);
        await freeze(now);
        expect(await due.claimed(tenantId)).toBe(1);
        await schedule('exactly', at(now));
        await due.runDue(tenantId, at(now));
        expect(counted).toEqual([2]);
        await expireLeases();
        expect(await due.claimed(tenantId)).toBe(0);
      },
    );

    it("runDue works as what is in the background does, and not in the asking request's turn", async () => {
      await freeze('2030-01-01T00:00:00Z');
      const scopes: unknown[] = [];
      const due = runner(async (batch) => {
        scopes.push(requestScope.getStore());
        await complete(batch);
      });
      await schedule('one', at('2030-01-15T00:00:00Z'));
      const turn = { arrivedAt: performance.now(), begun: true };
      const scope = { turn, requestId: 'r' };
      expect(await requestScope.run(scope, () => due.runDue(tenantId, at('2030-03-01T00:00:00Z')))).toEqual([]);
      expect(scopes).toEqual([{ requestId: 'r' }]);
      await schedule('two', at('2030-01-16T00:00:00Z'));
      expect(await due.runDue(tenantId, at('2030-03-01T00:00:00Z'))).toEqual([]);
      expect(scopes[1]).toBeUndefined();
    });

    it('runDue waits for a tenant that has enough in hand', async () => {
      await freeze('2030-01-01T00:00:00Z');
      let tries = 0;
      const due = runner(async (batch) => {
        if (++tries < 4) throw new NotYet(20);
        await complete(batch);
      });
      await schedule('one', at('2030-01-15T00:00:00Z'));
      expect(await due.runDue(tenantId, at('2030-03-01T00:00:00Z'))).toEqual([]);
      expect(tries).toBe(4);
      expect(await rows()).toEqual([]);
    });

    it('runDue returns what keeps failing', async () => {
      await freeze('2030-01-01T00:00:00Z');
      let tries = 0;
      const due = runner(async () => {
        tries++;
        throw new Error('never');
      });
      await schedule('bad', at('2030-01-15T00:00:00Z'));
      expect(await due.runDue(tenantId, at('2030-03-01T00:00:00Z'))).toEqual([
        { kind: KIND, ref: 'bad', error: 'never' },
      ]);
      expect(tries).toBe(5);
    });
  });
});
