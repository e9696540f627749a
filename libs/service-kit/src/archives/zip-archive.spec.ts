import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterAll, describe, expect, it } from '@jest/globals';
import yauzl from 'yauzl';
import { PackedText, ZipWriter } from './zip-writer.js';

const folder = mkdtempSync(join(tmpdir(), 'kontor-zip-'));
afterAll(() => rmSync(folder, { recursive: true }));

const modified = new Date('2026-03-01T10:20:30Z');

/** Sizes of all entries, and what the last one holds. */
async function readBack(path: string): Promise<{ sizes: Record<string, number>; last: string }> {
  const archive = await yauzl.openPromise(path);
  const sizes: Record<string, number> = {};
  let last = '';
  for await (const entry of archive.eachEntry()) {
    sizes[entry.fileName] = entry.uncompressedSize;
    if (entry.uncompressedSize > 1000) continue;
    const pieces: Buffer[] = [];
    for await (const piece of await archive.openReadStreamPromise(entry)) pieces.push(piece as Buffer);
    const bytes = Buffer.concat(pieces);
    expect(crc32(bytes)).toBe(entry.crc32);
    last = bytes.toString();
  }
  return { sizes, last };
}

describe('an archive', () => {
  it('has entries as they are and packed ones', async () => {
    const zip = new ZipWriter();
    const bytes = Buffer.from('Größe');
    const text = new PackedText();
    const pieces = ['a;b\r\n', '1;2\r\n'.repeat(20)];
    const packed = Buffer.concat([...pieces.map((piece) => text.add(piece)), text.end()]);
    const path = join(folder, 'small.zip');
    const file = await open(path, 'w');
    const first = { path: 'ä/größe.txt', modified, crc32: crc32(bytes), size: bytes.length, packedSize: null };
    const { crc32: sum, size, packedSize } = text;
    expect(packed.length).toBe(packedSize);
    expect(packedSize).toBeLessThan(size);
    const second = { path: 'table.csv', modified, crc32: sum, size, packedSize };
    await file.writev([zip.header(first), bytes, zip.header(second), packed, zip.end()]);
    await file.close();
    expect(await readBack(path)).toEqual({ sizes: { [first.path]: 6 + 1, 'table.csv': 105 }, last: pieces.join('') });
  });

  it('is not limited to four gigabytes nor to 65,535 entries', async () => {
    const zip = new ZipWriter();
    const path = join(folder, 'large.zip');
    const file = await open(path, 'w');
    let at = 0;
    const write = async (bytes: Buffer): Promise<void> => {
      await file.write(bytes, 0, bytes.length, at);
      at += bytes.length;
    };
    // A hole in the file, which takes no room on the disk; nobody reads it.
    const huge = 2 ** 32 + 5;
    await write(zip.header({ path: 'huge', modified, crc32: 0, size: huge, packedSize: null }));
    at += huge;
    const empty = Array.from({ length: 65_535 }, (_, n) =>
      zip.header({ path: `${n}`, modified, crc32: 0, size: 0, packedSize: null }),
    );
    await write(Buffer.concat(empty));
    const bytes = Buffer.from('after it');
    await write(zip.header({ path: 'last', modified, crc32: crc32(bytes), size: bytes.length, packedSize: null }));
    await write(bytes);
    await write(zip.end());
    await file.close();
    const archive = await yauzl.openPromise(path);
    expect(archive.entryCount).toBe(65_537);
    const entries: yauzl.Entry[] = [];
    for await (const entry of archive.eachEntry()) if (/^[hl]/.test(entry.fileName)) entries.push(entry);
    expect(entries.map((entry) => entry.uncompressedSize)).toEqual([huge, bytes.length]);
  });
});
