import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { testDatabase, type TestDatabase } from '@kontor/testing';
import fc from 'fast-check';
import { Replicas, type TenantTx } from '../src/index.js';
import { noteMigrations, NoteRow } from './support.js';

describe('copies of other services’ objects', () => {
  let db: TestDatabase;
  const tenantId = newUuid();
  beforeAll(async () => void (db = await testDatabase('notes', noteMigrations, [NoteRow])));
  afterAll(() => db.drop());
  const inTx = <T>(work: (tx: TenantTx) => Promise<T>): Promise<T> => db.database.tenant(tenantId, work);

  it('in whatever order versions arrive, and however often, the newest stays', async () => {
    const replicas = new Replicas();
    const versions = fc.shuffledSubarray([1, 2, 3, 4, 5, 6], { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(versions, versions, async (first, repeated) => {
        const id = newUuid();
        for (const version of [...first, ...repeated])
          await inTx((tx) => replicas.apply(tx, 'thing', id, version, { version }, version === 6));
        const newest = Math.max(...first, ...repeated);
        expect(await inTx((tx) => replicas.versionOf(tx, 'thing', id))).toBe(newest);
        expect(await inTx((tx) => replicas.get(tx, 'thing', id))).toEqual(newest === 6 ? null : { version: newest });
      }),
      { numRuns: 30 },
    );
  });

  it('a miss is asked for once; a tombstone is not', async () => {
    const replicas = new Replicas();
    const asked: string[] = [];
    replicas.readThrough(async (_tenant, _kind, id) => {
      asked.push(id);
      return id === 'known' ? { version: 3, data: { name: 'Ada' } } : null;
    });
    for (let n = 0; n < 2; n++) expect(await inTx((tx) => replicas.get(tx, 'customer', 'known'))).toEqual({ name: 'Ada' });
    expect(await inTx((tx) => replicas.get(tx, 'customer', 'unknown'))).toBeNull();
    await inTx((tx) => replicas.apply(tx, 'customer', 'known', 4, null, true));
    expect(await inTx((tx) => replicas.get(tx, 'customer', 'known'))).toBeNull();
    expect(asked).toEqual(['known', 'unknown']);
  });

  it('a read-only transaction can ask too', async () => {
    const replicas = new Replicas();
    replicas.readThrough(async () => ({ version: 1, data: { name: 'Bo' } }));
    expect(await db.database.tenant(tenantId, (tx) => replicas.get(tx, 'customer', 'only read'), { readOnly: true })).toEqual({
      name: 'Bo',
    });
  });

  it('an older copy than an event relies on is fetched', async () => {
    const replicas = new Replicas();
    replicas.readThrough(async () => ({ version: 9, data: { at: 9 } }));
    await inTx((tx) => replicas.apply(tx, 'settings', 's', 7, { at: 7 }, false));
    expect(await inTx((tx) => replicas.atLeast(tx, 'settings', 's', 7))).toEqual({ at: 7 });
    expect(await inTx((tx) => replicas.atLeast(tx, 'settings', 's', 8))).toEqual({ at: 9 });
    expect(await inTx((tx) => replicas.matching(tx, 'settings', { at: 9 }))).toEqual([{ at: 9 }]);
  });
});
