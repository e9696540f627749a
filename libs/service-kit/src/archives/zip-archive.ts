import { promisify } from 'node:util';
import { constants, crc32, deflateRaw } from 'node:zlib';
import { descriptorOf, endOf, headerOf, listingOf, type ZipEntry } from './zip-records.js';

/** An entry whose bytes stand in the archive as they are. */
export type StoredEntry = Omit<ZipEntry, 'packedSize'>;

const deflate = promisify(deflateRaw);

/**
 * A ZIP archive (APPNOTE 6.3) that is written from its beginning to its end, with 64-bit fields where 32 do not suffice. It
 * neither keeps nor copies what is stored (docs/adr/0035-archives-are-written-here.md).
 */
export class ZipArchive {
  private offset = 0;
  private readonly directory: Buffer[] = [];

  /** The header of an entry; its bytes must follow. */
  header(stored: StoredEntry): Buffer {
    const entry = { ...stored, packedSize: null };
    const header = headerOf(entry);
    this.list(entry, header.length + entry.size);
    return header;
  }

  *stored(path: string, modified: Date, bytes: Buffer): Generator<Buffer> {
    yield this.header({ path, modified, crc32: crc32(bytes), size: bytes.length });
    yield bytes;
  }

  /** An entry whose content is packed piece by piece; nothing else may be written before its end. */
  async *packed(path: string, modified: Date, content: AsyncIterable<string | Buffer>): AsyncGenerator<Buffer> {
    const entry = { path, modified, crc32: 0, size: 0, packedSize: 0 };
    const header = headerOf(entry);
    yield header;
    for await (const piece of content) {
      const bytes = Buffer.from(piece);
      entry.crc32 = crc32(bytes, entry.crc32);
      entry.size += bytes.length;
      const packed = await deflate(bytes, { finishFlush: constants.Z_SYNC_FLUSH });
      entry.packedSize += packed.length;
      yield packed;
    }
    const last = await deflate(Buffer.alloc(0));
    entry.packedSize += last.length;
    const descriptor = descriptorOf(entry);
    this.list(entry, header.length + entry.packedSize + descriptor.length);
    yield Buffer.concat([last, descriptor]);
  }

  /** What stands at the end of the archive. */
  end(): Buffer {
    const directory = Buffer.concat(this.directory);
    return Buffer.concat([directory, endOf(this.directory.length, directory.length, this.offset)]);
  }

  private list(entry: ZipEntry, length: number): void {
    this.directory.push(listingOf(entry, this.offset));
    this.offset += length;
  }
}
