import { Unpacked } from './unpacked.js';

const MAGIC = 0x184d2204;
const HAS_BLOCK_CHECKSUM = 0x10;
const HAS_CONTENT_SIZE = 0x08;
const HAS_DICTIONARY = 0x01;
const STORED = 0x80000000;
const SHORTEST_MATCH = 4;
const MORE = 15;

/**
 * A frame of LZ4, as Kafka's clients write it. Checksums are left alone: the broker has one of the whole batch.
 * @see https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md
 * @throws RangeError when it is none, or more than `limit` bytes would come of it.
 */
export function unpackLz4(input: Buffer, limit: number): Buffer {
  if (input.readUInt32LE(0) !== MAGIC) throw new RangeError('The compressed data is no frame of LZ4.');
  const flags = input.readUInt8(4);
  if (flags & HAS_DICTIONARY) throw new RangeError('The compressed data needs a dictionary.');
  // Magic, flags, size of blocks, size of the content, checksum of the header.
  let at = 4 + 1 + 1 + (flags & HAS_CONTENT_SIZE ? 8 : 0) + 1;
  const unpacked = new Unpacked(limit);
  for (;;) {
    const head = input.readUInt32LE(at);
    at += 4;
    if (head === 0) return unpacked.content();
    const size = head % STORED;
    if (at + size > input.length) throw new RangeError('The compressed data ends too early.');
    if (head >= STORED) unpacked.append(input, at, size);
    else unpackBlock(input.subarray(at, at + size), unpacked);
    at += size + (flags & HAS_BLOCK_CHECKSUM ? 4 : 0);
  }
}

/** Stretches of literal bytes, each but the last followed by a reference to earlier ones. */
function unpackBlock(block: Buffer, unpacked: Unpacked): void {
  let at = 0;
  const lengthFrom = (first: number): number => {
    let length = first;
    for (let more = first === MORE ? 255 : 0; more === 255;) length += more = block.readUInt8(at++);
    return length;
  };
  while (at < block.length) {
    const token = block.readUInt8(at++);
    const literals = lengthFrom(token >> 4);
    unpacked.append(block, at, literals);
    at += literals;
    if (at === block.length) return;
    const distance = block.readUInt16LE(at);
    at += 2;
    unpacked.repeat(distance, lengthFrom(token & MORE) + SHORTEST_MATCH);
  }
}
