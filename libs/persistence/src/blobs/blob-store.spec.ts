import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
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

  it('reads many to where they are wanted, all of them, with their sums', async () => {
    const store = new BlobStore(folder);
    const texts = ['wanted', 'also'];
    const [wanted, also] = await Promise.all(texts.map((text) => store.put(Buffer.from(text))));
    const [reader, other] = [store.openReader(), store.openReader()];
    const places = [
      { key: wanted!, start: 1, end: 7 },
      { key: also!, start: 8, end: 12 },
    ];
    const [read, same] = await Promise.all([reader.read(13, places), other.read(13, places)]);
    expect(read.bytes.toString()).toBe('\0wanted\0also\0');
    expect(read.sums).toEqual(texts.map((text) => crc32(text)));
    expect(same).toEqual(read);
    await other.close();
    // One that fails is no end of the others.
    const longer = reader.read(7, [{ key: wanted!, start: 0, end: 7 }]);
    const missing = reader.read(1, [{ key: '0'.repeat(64), start: 0, end: 1 }]);
    await expect(longer).rejects.toThrow('as many bytes as were stored');
    await expect(missing).rejects.toThrow('ENOENT');
    expect((await reader.read(0, [])).bytes).toHaveLength(0);
    await reader.close();
  });

  it('says why bytes could not be stored', async () => {
    const store = new BlobStore(join(folder, 'full'));
    writeFileSync(join(folder, 'full'), 'no folder');
    await expect(store.put(Buffer.from('lost'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  });

  it('makes its folder anew where that is gone', async () => {
    const store = new BlobStore(join(folder, 'a', 'b'));
    const key = await store.put(Buffer.from('first'));
    rmSync(join(folder, 'a'), { recursive: true });
    expect(await store.put(Buffer.from('first'))).toBe(key);
    expect((await store.get(key)).toString()).toBe('first');
  });

  // Nobody but root may mount, and nothing else keeps root from writing.
  const mayMount = process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'true']).status === 0;
  (mayMount ? it : it.skip)('says that its file system takes no writes', () => {
    const readOnly = join(folder, 'read-only');
    mkdirSync(readOnly);
    const library = join(import.meta.dirname, '..', '..', 'dist', 'index.js');
    const script = `import { BlobStore } from ${JSON.stringify(library)};
      await new BlobStore(${JSON.stringify(readOnly)} + '/own').put(Buffer.from('lost')).catch(({ code }) => console.log(code));`;
    const mount = 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && exec "$2" "$3"';
    const file = join(folder, 'store.mjs');
    writeFileSync(file, script);
    const { stdout } = spawnSync('unshare', ['--mount', 'sh', '-c', mount, 'sh', readOnly, process.execPath, file], {
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    expect(stdout.toString().trim()).toBe('EROFS');
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
