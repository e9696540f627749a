import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { BlobStore } from './blob-store.js';

describe('BlobStore', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-blobs-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('keeps bytes under their digest, once, also when many store them at once', async () => {
    const store = new BlobStore(folder);
    const bytes = Buffer.from('%PDF-1.7');
    const keys = await Promise.all(Array.from({ length: 20 }, () => store.put(bytes)));
    expect(new Set(keys).size).toBe(1);
    expect(await store.get(keys[0]!)).toEqual(bytes);
    expect(readdirSync(folder, { recursive: true }).filter((name) => String(name).length > 10)).toHaveLength(1);
  });

  it('reads bytes to where they are wanted, all of them', async () => {
    const store = new BlobStore(folder);
    const key = await store.put(Buffer.from('wanted'));
    const target = Buffer.from('>      <');
    await store.readInto(key, target.subarray(1, 7));
    expect(target.toString()).toBe('>wanted<');
    await expect(store.readInto(key, Buffer.alloc(7))).rejects.toThrow('as many bytes as were stored');
    await expect(store.readInto('0'.repeat(64), target)).rejects.toThrow('ENOENT');
  });

  it('takes nothing but digests for keys', async () => {
    await expect(new BlobStore(folder).get('../../etc/passwd')).rejects.toThrow('64 hex digits');
    expect(await new BlobStore(folder).has('0'.repeat(64))).toBe(false);
  });

  it('removes bytes that nobody stored again meanwhile', async () => {
    const store = new BlobStore(join(folder, 'other'));
    const bytes = Buffer.from('gone');
    const key = await store.put(bytes);
    // Stored after it was found unused: it stays.
    expect(await store.remove(key, new Date(Date.now() - 60_000))).toBe(false);
    expect(await store.get(key)).toEqual(bytes);
    expect(await store.remove(key, new Date(Date.now() + 60_000))).toBe(true);
    expect(await store.has(key)).toBe(false);
    // Once more is the same, and what is stored again is there again.
    expect(await store.remove(key, new Date(Date.now() + 60_000))).toBe(true);
    expect(await store.put(bytes)).toBe(key);
    expect(await store.get(key)).toEqual(bytes);
  });
});
