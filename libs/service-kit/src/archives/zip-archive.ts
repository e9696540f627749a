import { constants, crc32, deflateRawSync } from 'node:zlib';

/** What of an entry stands beside its bytes. */
export interface ZipEntry {
  /** With slashes, relative. */
  readonly path: string;
  readonly modified: Date;
  /** Of the bytes before they were packed. */
  readonly crc32: number;
  readonly size: number;
  /** How many follow the header; null where they are not packed. */
  readonly packedSize: number | null;
}

const VERSION = 45;
const UNIX = 3 << 8;
const UTF8_NAMES = 0x0800;
const DEFLATED = 8;
/** A field of 32 bits that says: see the extra field. */
const ELSEWHERE = 0xffffffff;
/** A regular file that its owner writes and all read. */
const MODE = 0o100644 * 0x10000;

/**
 * Headers and directory of a ZIP archive whose entries are known before they are written (APPNOTE 6.3), with 64-bit fields
 * where 32 do not suffice. It has no streams and sums nothing: whoever writes tens of thousands of small files pays for
 * both.
 */
export class ZipWriter {
  private offset = 0;
  private readonly directory: Buffer[] = [];

  /** The header of an entry; its bytes must follow. */
  header(entry: ZipEntry): Buffer {
    const name = Buffer.from(entry.path);
    const packedSize = entry.packedSize ?? entry.size;
    const large = Math.max(entry.size, packedSize) >= ELSEWHERE ? extra(entry.size, packedSize) : Buffer.alloc(0);
    const header = Buffer.alloc(30);
    header.writeUInt32LE(0x04034b50, 0);
    header.writeUInt16LE(VERSION, 4);
    writeFields(header, 6, entry, large.length > 0 ? [ELSEWHERE, ELSEWHERE] : [packedSize, entry.size]);
    header.writeUInt16LE(name.length, 26);
    header.writeUInt16LE(large.length, 28);
    this.directory.push(listed(entry, name, packedSize, this.offset));
    this.offset += header.length + name.length + large.length + packedSize;
    return Buffer.concat([header, name, large]);
  }

  /** What stands at the end of the archive. */
  end(): Buffer {
    const listing = Buffer.concat(this.directory);
    const count = this.directory.length;
    const at = this.offset;
    const end = Buffer.alloc(22);
    end.writeUInt32LE(0x06054b50, 0);
    end.writeUInt16LE(Math.min(count, 0xffff), 8);
    end.writeUInt16LE(Math.min(count, 0xffff), 10);
    end.writeUInt32LE(Math.min(listing.length, ELSEWHERE), 12);
    end.writeUInt32LE(Math.min(at, ELSEWHERE), 16);
    const isLarge = count >= 0xffff || listing.length >= ELSEWHERE || at >= ELSEWHERE;
    return Buffer.concat(isLarge ? [listing, largeEnd(count, listing.length, at), end] : [listing, end]);
  }
}

/** Text that is packed piece by piece; the pieces together are what an entry holds. */
export class PackedText {
  crc32 = 0;
  size = 0;
  packedSize = 0;

  /** The packed bytes of some more of it, which stand by themselves. */
  add(text: string): Buffer {
    const bytes = Buffer.from(text);
    this.crc32 = crc32(bytes, this.crc32);
    this.size += bytes.length;
    return this.count(deflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }));
  }

  /** The last of its bytes. */
  end(): Buffer {
    return this.count(deflateRawSync(Buffer.alloc(0)));
  }

  private count(packed: Buffer): Buffer {
    this.packedSize += packed.length;
    return packed;
  }
}

/** What headers and directory have alike, from `at` on. */
function writeFields(
  to: Buffer,
  at: number,
  { packedSize, modified, crc32: sum }: ZipEntry,
  sizes: readonly [number, number],
): void {
  to.writeUInt16LE(UTF8_NAMES, at);
  to.writeUInt16LE(packedSize === null ? 0 : DEFLATED, at + 2);
  to.writeUInt16LE(
    (modified.getUTCHours() << 11) | (modified.getUTCMinutes() << 5) | (modified.getUTCSeconds() >> 1),
    at + 4,
  );
  const year = Math.min(Math.max(modified.getUTCFullYear(), 1980), 2107);
  to.writeUInt16LE(((year - 1980) << 9) | ((modified.getUTCMonth() + 1) << 5) | modified.getUTCDate(), at + 6);
  to.writeUInt32LE(sum, at + 8);
  to.writeUInt32LE(sizes[0], at + 12);
  to.writeUInt32LE(sizes[1], at + 16);
}

function listed(entry: ZipEntry, name: Buffer, packedSize: number, offset: number): Buffer {
  const isLarge = Math.max(entry.size, packedSize, offset) >= ELSEWHERE;
  const large = isLarge ? extra(entry.size, packedSize, offset) : Buffer.alloc(0);
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE(UNIX | VERSION, 4);
  header.writeUInt16LE(VERSION, 6);
  writeFields(header, 8, entry, isLarge ? [ELSEWHERE, ELSEWHERE] : [packedSize, entry.size]);
  header.writeUInt16LE(name.length, 28);
  header.writeUInt16LE(large.length, 30);
  header.writeUInt32LE(MODE, 38);
  header.writeUInt32LE(isLarge ? ELSEWHERE : offset, 42);
  return Buffer.concat([header, name, large]);
}

/** The extra field of numbers that do not go into 32 bits. */
function extra(...numbers: readonly number[]): Buffer {
  const field = Buffer.alloc(4 + 8 * numbers.length);
  field.writeUInt16LE(1, 0);
  field.writeUInt16LE(8 * numbers.length, 2);
  numbers.forEach((number, index) => field.writeBigUInt64LE(BigInt(number), 4 + 8 * index));
  return field;
}

/** The end of a large archive, and where it is found: it begins after the directory. */
function largeEnd(count: number, size: number, at: number): Buffer {
  const end = Buffer.alloc(76);
  end.writeUInt32LE(0x06064b50, 0);
  end.writeBigUInt64LE(44n, 4);
  end.writeUInt16LE(UNIX | VERSION, 12);
  end.writeUInt16LE(VERSION, 14);
  end.writeBigUInt64LE(BigInt(count), 24);
  end.writeBigUInt64LE(BigInt(count), 32);
  end.writeBigUInt64LE(BigInt(size), 40);
  end.writeBigUInt64LE(BigInt(at), 48);
  end.writeUInt32LE(0x07064b50, 56);
  end.writeBigUInt64LE(BigInt(at + size), 64);
  end.writeUInt32LE(1, 72);
  return end;
}
