import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, describe, expect, it } from '@jest/globals';
import { readZip } from '@kontor/testing';
import yauzl from 'yauzl';
import { ZipArchive } from './zip-archive.js';
import { descriptorOf, zipHeaderSize } from './zip-records.js';

const folder = mkdtempSync(join(tmpdir(), 'kontor-zip-'));
afterAll(() => rmSync(folder, { recursive: true }));

const modified = new Date('2026-03-01T10:20:30Z');

const bytesOf = async (pieces: AsyncGenerator<Buffer>): Promise<Buffer> =>
  Buffer.concat(await Readable.from(pieces).toArray());

describe('an archive', () => {
  it('has entries as they are and packed ones', async () => {
    const zip = new ZipArchive();
    const texts = ['a;b\r\n', '1;2\r\n'.repeat(20), '', '3;4\r\n'];
    const packed = await bytesOf(zip.packed('table.csv', modified, Readable.from(texts)));
    const empty = await bytesOf(zip.packed('empty.csv', modified, Readable.from([])));
    const stored = [...zip.stored('ä/größe.txt', modified, Buffer.from('Größe'))];
    expect(stored[0]?.length).toBe(zipHeaderSize('ä/größe.txt'));
    const files = await readZip(Buffer.concat([packed, empty, ...stored, zip.end()]));
    expect([...files].map(([path, bytes]) => [path, bytes.toString()])).toEqual([
      ['table.csv', texts.join('')],
      ['empty.csv', ''],
      ['ä/größe.txt', 'Größe'],
    ]);
    expect(packed.length).toBeLessThan(texts.join('').length);
  });

  it('is not limited to four gigabytes nor to 65,535 entries', async () => {
    const zip = new ZipArchive();
    const path = join(folder, 'large.zip');
    const file = await open(path, 'w');
    let at = 0;
    const write = async (bytes: Buffer): Promise<void> => {
      await file.write(bytes, 0, bytes.length, at);
      at += bytes.length;
    };
    // A hole in the file, which takes no room on the disk; nobody reads it.
    const huge = 2 ** 32 + 5;
    await write(zip.header({ path: 'huge', modified, crc32: 0, size: huge }));
    at += huge;
    const empty = Array.from({ length: 65_535 }, (_, n) => zip.header({ path: `${n}`, modified, crc32: 0, size: 0 }));
    await write(Buffer.concat(empty));
    const bytes = Buffer.from('after it');
    await write(Buffer.concat([...zip.stored('last', modified, bytes)]));
    await write(zip.end());
    await file.close();
    const archive = await yauzl.openPromise(path);
    expect(archive.entryCount).toBe(65_537);
    const entries: yauzl.Entry[] = [];
    for await (const entry of archive.eachEntry()) if (/^[hl]/.test(entry.fileName)) entries.push(entry);
    expect(entries.map((entry) => entry.uncompressedSize)).toEqual([huge, bytes.length]);
  });

  it('describes packed entries with as many bits as they need', () => {
    const sizes = { crc32: 7, size: 2 ** 32 + 5, packedSize: 9 };
    const large = descriptorOf({ path: 'a', modified, ...sizes });
    expect([large.readUInt32LE(4), large.readBigUInt64LE(8), large.readBigUInt64LE(16)]).toEqual([7, 9n, 4294967301n]);
    const small = descriptorOf({ path: 'a', modified, ...sizes, size: 5 });
    expect([small.readUInt32LE(4), small.readUInt32LE(8), small.readUInt32LE(12)]).toEqual([7, 9, 5]);
  });
});
