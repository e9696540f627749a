import { tmpdir } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import { StorageGuard, type StorageState } from './storage-guard.js';

const MORE_THAN_THERE_IS = Number.MAX_SAFE_INTEGER;

async function looked(reserveBytes: number): Promise<{ guard: StorageGuard; changes: StorageState[] }> {
  const changes: StorageState[] = [];
  const guard = new StorageGuard({
    folders: () => [tmpdir(), '/no/such/folder'],
    reserveBytes,
    onChange: (state) => changes.push(state),
  });
  await guard.start();
  return { guard, changes };
}

describe('the storage guard', () => {
  it('says that the storage is full while less than the reserve is free', async () => {
    const { guard, changes } = await looked(MORE_THAN_THERE_IS);
    expect(guard.isFull).toBe(true);
    expect(changes).toEqual([{ isFull: true, freeBytes: expect.any(Number), isRefused: false }]);
    expect(() => guard.requireRoom()).toThrow(
      expect.objectContaining({ kind: 'storage_full', reason: 'storage_full' }),
    );
    guard.stop();
  });

  it('says nothing while there is room', async () => {
    const { guard, changes } = await looked(1);
    expect(guard.isFull).toBe(false);
    expect(changes).toEqual([]);
    guard.requireRoom();
    await guard.room();
    guard.stop();
  });

  it.each([{ code: '53100' }, { code: 'ENOSPC' }, { code: 'EDQUOT' }, { driverError: { code: '53100' } }])(
    'believes a refusal (%j) for a while',
    (error) => {
      const guard = new StorageGuard();
      guard.notice(error);
      expect(guard.isFull).toBe(true);
    },
  );

  it('says that a disk with enough free bytes refused', async () => {
    const { guard, changes } = await looked(1);
    guard.notice({ code: 'ENOSPC' });
    expect(changes).toEqual([{ isFull: true, freeBytes: expect.any(Number), isRefused: true }]);
    guard.stop();
  });

  it.each([null, {}, { code: '57P01' }, new Error('ENOSPC')])('takes %p for no such refusal', (error) => {
    const guard = new StorageGuard();
    guard.notice(error);
    expect(guard.isFull).toBe(false);
  });

  it('lets those who wait for room go when it is stopped', async () => {
    const { guard } = await looked(MORE_THAN_THERE_IS);
    const waiting = guard.room();
    guard.stop();
    await waiting;
  });
});
