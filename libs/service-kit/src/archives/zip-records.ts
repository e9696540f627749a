/** An entry of an archive. */
export interface ZipEntry {
  /** With slashes, relative. */
  readonly path: string;
  readonly modified: Date;
  /** Of the bytes before they are packed. */
  readonly crc32: number;
  readonly size: number;
  /** How many there are in the archive; null where they are not packed. */
  readonly packedSize: number | null;
}

const VERSION = 45;
const UNIX = 3 << 8;
const UTF8_NAMES = 0x0800;
/** Sum and sizes are known when the bytes are written: zeros stand before, a descriptor after them. */
const DESCRIBED = 0x0008;
const DEFLATED = 8;
/** A field of 32 bits that says: see the extra field. */
const ELSEWHERE = 0xffffffff;
/** A regular file that its owner writes and all read. */
const MODE = 0o100644 * 0x10000;
const HEADER_SIZE = 30;

/** How long the header of an entry is that holds less than four gigabytes. */
export const zipHeaderSize = (path: string): number => HEADER_SIZE + Buffer.byteLength(path);

/** What stands before an entry. */
export function headerOf(entry: ZipEntry): Buffer {
  const name = Buffer.from(entry.path);
  const isLarge = entry.packedSize === null && entry.size >= ELSEWHERE;
  const large = isLarge ? extra(entry.size, entry.size) : Buffer.alloc(0);
  const header = Buffer.alloc(HEADER_SIZE);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(VERSION, 4);
  writeKind(header, 6, entry);
  if (entry.packedSize === null) writeSizes(header, 14, entry.crc32, entry.size, entry.size);
  header.writeUInt16LE(name.length, 26);
  header.writeUInt16LE(large.length, 28);
  return Buffer.concat([header, name, large]);
}

/** What stands after an entry that was packed as it was written. */
export function descriptorOf({ crc32, size, packedSize }: ZipEntry): Buffer {
  const packed = packedSize ?? size;
  const isLarge = Math.max(size, packed) >= ELSEWHERE;
  const descriptor = Buffer.alloc(isLarge ? 24 : 16);
  descriptor.writeUInt32LE(0x08074b50, 0);
  descriptor.writeUInt32LE(crc32, 4);
  if (isLarge) [packed, size].forEach((bytes, index) => descriptor.writeBigUInt64LE(BigInt(bytes), 8 + 8 * index));
  else [packed, size].forEach((bytes, index) => descriptor.writeUInt32LE(bytes, 8 + 4 * index));
  return descriptor;
}

/** An entry that begins at this offset, as the directory has it. */
export function listingOf(entry: ZipEntry, offset: number): Buffer {
  const name = Buffer.from(entry.path);
  const packed = entry.packedSize ?? entry.size;
  const isLarge = Math.max(entry.size, packed, offset) >= ELSEWHERE;
  const large = isLarge ? extra(entry.size, packed, offset) : Buffer.alloc(0);
  const [size, packedSize, at] = isLarge ? [ELSEWHERE, ELSEWHERE, ELSEWHERE] : [entry.size, packed, offset];
  const listing = Buffer.alloc(46);
  listing.writeUInt32LE(0x02014b50, 0);
  listing.writeUInt16LE(UNIX | VERSION, 4);
  listing.writeUInt16LE(VERSION, 6);
  writeKind(listing, 8, entry);
  writeSizes(listing, 16, entry.crc32, packedSize, size);
  listing.writeUInt16LE(name.length, 28);
  listing.writeUInt16LE(large.length, 30);
  listing.writeUInt32LE(MODE, 38);
  listing.writeUInt32LE(at, 42);
  return Buffer.concat([listing, name, large]);
}

/** What stands at the end: so many entries, whose directory begins at this offset. */
export function endOf(count: number, directorySize: number, offset: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Math.min(count, 0xffff), 8);
  end.writeUInt16LE(Math.min(count, 0xffff), 10);
  end.writeUInt32LE(Math.min(directorySize, ELSEWHERE), 12);
  end.writeUInt32LE(Math.min(offset, ELSEWHERE), 16);
  const isLarge = count >= 0xffff || directorySize >= ELSEWHERE || offset >= ELSEWHERE;
  return isLarge ? Buffer.concat([largeEnd(count, directorySize, offset), end]) : end;
}

/** How an entry is packed, and when it was changed. */
function writeKind(to: Buffer, at: number, { packedSize, modified }: ZipEntry): void {
  to.writeUInt16LE(packedSize === null ? UTF8_NAMES : UTF8_NAMES | DESCRIBED, at);
  to.writeUInt16LE(packedSize === null ? 0 : DEFLATED, at + 2);
  to.writeUInt16LE(
    (modified.getUTCHours() << 11) | (modified.getUTCMinutes() << 5) | (modified.getUTCSeconds() >> 1),
    at + 4,
  );
  const year = Math.min(Math.max(modified.getUTCFullYear(), 1980), 2107);
  to.writeUInt16LE(((year - 1980) << 9) | ((modified.getUTCMonth() + 1) << 5) | modified.getUTCDate(), at + 6);
}

function writeSizes(to: Buffer, at: number, crc32: number, packedSize: number, size: number): void {
  to.writeUInt32LE(crc32, at);
  to.writeUInt32LE(Math.min(packedSize, ELSEWHERE), at + 4);
  to.writeUInt32LE(Math.min(size, ELSEWHERE), at + 8);
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
