import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterAll, describe, expect, it } from '@jest/globals';
import { BlobStore, blobKeyOf } from './blob-store.js';

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

  /** Nothing of a journal reaches the disk behind an error: what was only in memory is gone, as after a power cut. */
  const POWER_CUT = `truncate -s 16M "$1.img" && mkfs.ext4 -q "$1.img" && mount -o loop,errors=remount-ro "$1.img" "$1" || exit 9
    "$2" "$3" && echo 1 > "/sys/fs/ext4/$(basename "$(findmnt -no SOURCE "$1")")/trigger_fs_error" || exit 9
    umount "$1" && mount -o loop "$1.img" "$1" || exit 9
    find "$1" -type f -printf '%f\\n'`;
  const mayCut =
    mayMount && ['/dev/loop-control', '/sys/fs/ext4/features', '/usr/sbin/mkfs.ext4'].every((path) => existsSync(path));
  (mayCut ? it : it.skip)('has bytes under their keys after a power cut', () => {
    const disk = join(folder, 'disk');
    mkdirSync(disk);
    const library = join(import.meta.dirname, '..', '..', 'dist', 'index.js');
    const file = join(folder, 'cut.mjs');
    const script = `import { BlobStore } from ${JSON.stringify(library)};
      const store = new BlobStore(${JSON.stringify(disk)} + '/own');
      await Promise.all([1, 2, 3, 4, 5].map((n) => store.put(Buffer.from('invoice ' + n))));`;
    writeFileSync(file, script);
    const { stdout, stderr, status } = spawnSync(
      'unshare',
      ['--mount', 'sh', '-c', POWER_CUT, 'sh', disk, process.execPath, file],
      { env: { ...process.env, NODE_OPTIONS: '' } },
    );
    expect({ status, stderr: stderr.toString() }).toEqual({ status: 0, stderr: '' });
    const keys = [1, 2, 3, 4, 5].map((n) => blobKeyOf(Buffer.from(`invoice ${n}`)));
    expect(stdout.toString().trim().split('\n').sort()).toEqual(keys.sort());
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
