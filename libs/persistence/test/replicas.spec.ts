import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { DomainError, newUuid } from '@kontor/kernel';
import { eventually, testDatabase, type TestDatabase } from '@kontor/testing';
import fc from 'fast-check';
import {
  findIdempotencyRecord,
  type IdempotencyClaim,
  onCommit,
  type ReplicaOwners,
  Replicas,
  type ReplicaSnapshot,
  requestScope,
  storeCopiesAlone,
  type TenantTx,
} from '../src/index.js';
import { noteMigrations, NoteRow } from './support.js';

/** An owner with some objects, which notes what it was asked for. */
function ownerOf(objects: Record<string, ReplicaSnapshot>, asked: string[][] = []): ReplicaOwners {
  return {
    fetch: async (_tenant, _kind, ids) => {
      asked.push([...ids]);
      return new Map(ids.flatMap((id) => (objects[id] ? [[id, objects[id]]] : [])));
    },
    list: async () => new Map(Object.entries(objects)),
  };
}

const copiesWith = (owners: ReplicaOwners): Replicas => {
  const replicas = new Replicas();
  replicas.readThrough(owners);
  return replicas;
};

const ada = { version: 3, data: { name: 'Ada' } };

describe('copies of other services’ objects', () => {
  let db: TestDatabase;
  let tenantId: string;
  beforeAll(async () => void (db = await testDatabase('notes', noteMigrations, [NoteRow], { poolSize: 3 })));
  beforeAll(() => void (tenantId = newUuid()));
  afterEach(() => void (tenantId = newUuid()));
  afterAll(() => db.drop());
  const inTx = <T>(work: (tx: TenantTx) => Promise<T>, options = {}): Promise<T> =>
    db.database.tenant(tenantId, work, options);

  it('stored by themselves they are the tenant’s, and leave the connection without one', async () => {
    const copies = ['a', 'b', 'a'].map((id, n) => ({ id, version: n + 1, data: { n }, deleted: false }));
    for (let n = 0; n < 4; n++) await storeCopiesAlone(db.database, tenantId, 'thing', copies);
    const all = () => db.database.statement('SELECT id FROM replica');
    expect(await Promise.all([all(), all(), all()])).toEqual([[], [], []]);
    expect(await inTx((tx) => new Replicas().all(tx, 'thing'))).toEqual([{ n: 2 }, { n: 1 }]);
    expect(await db.database.tenant(newUuid(), (tx) => new Replicas().all(tx, 'thing'))).toEqual([]);
  });

  it('in whatever order versions arrive, and however often, the newest stays', async () => {
    const replicas = new Replicas();
    const versions = fc.shuffledSubarray([1, 2, 3, 4, 5, 6], { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(versions, versions, async (first, repeated) => {
        const id = newUuid();
        for (const version of [...first, ...repeated]) {
          const copy = { id, version, data: { version }, deleted: version === 6 };
          if (version % 2 === 0) await storeCopiesAlone(db.database, tenantId, 'thing', [copy]);
          else await inTx((tx) => replicas.applyMany(tx, 'thing', [copy]));
        }
        const newest = Math.max(...first, ...repeated);
        expect(await inTx((tx) => replicas.versionOf(tx, 'thing', id))).toBe(newest);
        expect(await inTx((tx) => replicas.get(tx, 'thing', id))).toEqual(newest === 6 ? null : { version: newest });
      }),
      { numRuns: 30 },
    );
  });

  it('a miss is asked for once; a tombstone is not', async () => {
    const asked: string[][] = [];
    const replicas = copiesWith(ownerOf({ known: ada }, asked));
    for (let n = 0; n < 2; n++)
      expect(await inTx((tx) => replicas.get(tx, 'customer', 'known'))).toEqual({ name: 'Ada' });
    expect(await inTx((tx) => replicas.get(tx, 'customer', 'unknown'))).toBeNull();
    await inTx((tx) => replicas.apply(tx, 'customer', 'known', 4, null, true));
    expect(await inTx((tx) => replicas.get(tx, 'customer', 'known'))).toBeNull();
    expect(asked).toEqual([['known'], ['unknown']]);
  });

  it('all misses of a call are fetched together, and what the owner does not have is asked for once', async () => {
    const asked: string[][] = [];
    const replicas = copiesWith(ownerOf({ a: ada, c: ada }, asked));
    let runs = 0;
    const found = await inTx(async (tx) => {
      runs++;
      const first = await replicas.getMany(tx, 'customer', ['a', 'b', 'c']);
      const second = await replicas.getMany(tx, 'customer', ['b', 'd']);
      return [...first.keys(), ...second.keys()];
    });
    expect(found).toEqual(['a', 'c']);
    expect(asked).toEqual([['a', 'b', 'c'], ['d']]);
    expect(runs).toBe(3);
  });

  it('a read-only transaction can ask too', async () => {
    const replicas = copiesWith(ownerOf({ known: ada }));
    expect(await inTx((tx) => replicas.get(tx, 'customer', 'known'), { readOnly: true })).toEqual({ name: 'Ada' });
  });

  it('an older copy than an event relies on is fetched', async () => {
    const replicas = copiesWith(ownerOf({ s: { version: 9, data: { at: 9 } } }));
    await inTx((tx) => replicas.apply(tx, 'settings', 's', 7, { at: 7 }, false));
    await inTx((tx) => replicas.apply(tx, 'settings', 'gone', 7, { at: 7 }, false));
    expect(await inTx((tx) => replicas.atLeast(tx, 'settings', 's', 7))).toEqual({ at: 7 });
    expect(await inTx((tx) => replicas.atLeast(tx, 'settings', 's', 8))).toEqual({ at: 9 });
    expect(await inTx((tx) => replicas.atLeast(tx, 'settings', 'gone', 8))).toBeNull();
    expect(await inTx((tx) => replicas.matching(tx, 'settings', { at: 9 }))).toEqual([{ at: 9 }]);
  });

  it('who releases an object waits for whoever holds it; then nobody finds it, until it has a next version', async () => {
    const replicas = new Replicas();
    const store = (version: number): Promise<unknown> =>
      inTx((tx) => replicas.apply(tx, 'customer', 'c', version, { version }, false));
    const hold = (tx: TenantTx): Promise<unknown> => replicas.hold(tx, 'customer', 'c');
    const order: string[] = [];
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    let begin: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    await store(1);
    const holder = inTx(async (tx) => {
      expect(await hold(tx)).toEqual({ version: 1 });
      begin();
      await ended;
      order.push('held');
    });
    await begun;
    // Whoever stores a newer version waits for nobody.
    await store(2);
    const released = inTx((tx) => replicas.release(tx, 'customer', 'c', 3)).then(() => order.push('released'));
    const waiting = () => db.peek(`SELECT 1 FROM pg_locks WHERE NOT granted AND locktype = 'transactionid'`);
    await eventually(async () => (await waiting()).length > 0, 'the other one waits');
    end();
    await Promise.all([holder, released]);
    expect(order).toEqual(['held', 'released']);
    expect(await inTx(hold)).toBeNull();
    await store(4);
    expect(await inTx(hold)).toEqual({ version: 4 });
  });

  it('of an object that is released before it was copied here, no former version comes later', async () => {
    const replicas = copiesWith(ownerOf({ ada }));
    await inTx((tx) => replicas.release(tx, 'customer', 'ada', 4));
    expect(await inTx((tx) => replicas.hold(tx, 'customer', 'ada'))).toBeNull();
    await inTx((tx) => replicas.apply(tx, 'customer', 'ada', ada.version, ada.data, false));
    expect(await inTx((tx) => replicas.hold(tx, 'customer', 'ada'))).toBeNull();
  });

  it('all copies of a kind are fetched while those at hand are not enough', async () => {
    const isAda = (copies: readonly { name: string }[]): boolean => copies.some(({ name }) => name === 'Ada');
    const grace = { version: 1, data: { name: 'Grace' } };
    const away = new Error('away');
    const silent = copiesWith({ fetch: () => Promise.reject(away), list: () => Promise.reject(away) });
    await inTx((tx) => silent.apply(tx, 'tax_group', 'grace', 1, grace.data, false));
    await expect(inTx((tx) => silent.allUntil(tx, 'tax_group', isAda))).rejects.toBe(away);
    const replicas = copiesWith(ownerOf({ ada, grace }));
    const all = [{ name: 'Ada' }, { name: 'Grace' }];
    expect(await inTx((tx) => replicas.allUntil(tx, 'tax_group', isAda), { readOnly: true })).toEqual(all);
    expect(await inTx((tx) => silent.allUntil(tx, 'tax_group', isAda))).toEqual(all);
    // An owner that has no more is believed.
    expect(await inTx((tx) => replicas.allUntil(tx, 'tax_group', () => false))).toEqual(all);
  });

  it("an owner's error is met by the work, which may do without", async () => {
    const away = new Error('away');
    const replicas = copiesWith({ fetch: () => Promise.reject(away), list: () => Promise.reject(away) });
    await expect(inTx((tx) => replicas.get(tx, 'customer', 'x'))).rejects.toBe(away);
    const without = await inTx((tx) => replicas.get(tx, 'customer', 'x').catch(() => 'nobody'));
    expect(without).toBe('nobody');
  });

  it('a rolled back run leaves nothing: no row, no hint, no refusal', async () => {
    const replicas = copiesWith(ownerOf({ known: ada }));
    let hints = 0;
    const result = await inTx(async (tx) => {
      onCommit(tx, () => void hints++);
      await replicas.apply(tx, 'thing', newUuid(), 1, {}, false);
      // Work that takes the signal for a failure of its own does not get away with it.
      const customer = await replicas.get(tx, 'customer', 'known').catch(() => Promise.reject(new DomainError('no')));
      return { customer, things: (await replicas.all(tx, 'thing')).length };
    });
    expect(result).toEqual({ customer: { name: 'Ada' }, things: 1 });
    expect(hints).toBe(1);
  });

  it("takes the request's key once, with the run that commits", async () => {
    const replicas = copiesWith(ownerOf({ known: ada }));
    const claim: IdempotencyClaim = {
      tenantId,
      key: newUuid(),
      operation: 'POST /x',
      bodyHash: 'hash',
      process: newUuid(),
      principal: 'api_key one',
      claimed: false,
    };
    const seen: boolean[] = [];
    const request = (): Promise<unknown> =>
      requestScope.run({ idempotency: claim }, () =>
        inTx(async (tx) => {
          const record = await findIdempotencyRecord(tx, claim);
          seen.push(record !== null && !record.final);
          return replicas.get(tx, 'customer', 'known');
        }),
      );
    expect(await request()).toEqual({ name: 'Ada' });
    expect(seen).toEqual([true, true]);
    expect(claim.claimed).toBe(true);
    const record = await inTx((tx) => findIdempotencyRecord(tx, claim));
    expect(record).toMatchObject({ answer: { name: 'Ada' }, final: false });
  });

  it('nobody waits for an owner with a connection in hand', async () => {
    let answer: () => void = () => undefined;
    const slow = new Promise<void>((resolve) => (answer = resolve));
    const owners = ownerOf({ known: ada });
    const fetch = async (...question: Parameters<ReplicaOwners['fetch']>) => {
      await slow;
      return owners.fetch(...question);
    };
    const replicas = copiesWith({ ...owners, fetch });
    const waiting = Array.from({ length: 6 }, (_, n) =>
      inTx((tx) => replicas.get(tx, 'customer', 'known'), { readOnly: n % 2 === 0 }),
    );
    // Twice as many as the pool has connections go on meanwhile.
    for (let n = 0; n < 4; n++) await inTx((tx) => replicas.apply(tx, 'thing', 't', n + 1, {}, false));
    answer();
    expect(await Promise.all(waiting)).toEqual(Array(6).fill({ name: 'Ada' }));
  });
});
