import { Unpacked } from './unpacked.js';

/** Before the blocks of Java's clients, each with its length; then two versions of four bytes. Others write one block alone. */
const FRAMED = Buffer.from([0x82, ...Buffer.from('SNAPPY'), 0]);
const FRAME_HEADER_BYTES = FRAMED.length + 8;

/**
 * Snappy, as Kafka's clients write it.
 * @see https://github.com/google/snappy/blob/main/format_description.txt
 * @throws RangeError when it is none, or more than `limit` bytes would come of it.
 */
export function unpackSnappy(input: Buffer, limit: number): Buffer {
  const unpacked = new Unpacked(limit);
  if (!input.subarray(0, FRAMED.length).equals(FRAMED)) {
    unpackBlock(input, unpacked);
    return unpacked.content();
  }
  for (let at = FRAME_HEADER_BYTES; at < input.length;) {
    const size = input.readUInt32BE(at);
    at += 4;
    if (at + size > input.length) throw new RangeError('The compressed data ends too early.');
    unpackBlock(input.subarray(at, at + size), unpacked);
    at += size;
  }
  return unpacked.content();
}

/** The length of what comes of it, then literal bytes and references to earlier ones. */
function unpackBlock(block: Buffer, unpacked: Unpacked): void {
  let at = 0;
  while (block.readUInt8(at++) >= 0x80);
  while (at < block.length) {
    const tag = block.readUInt8(at++);
    const value = tag >> 2;
    switch (tag & 3) {
      case 0: {
        // Beyond 60, in how many bytes the length follows.
        const bytes = value < 60 ? 0 : value - 59;
        const length = (bytes === 0 ? value : block.readUIntLE(at, bytes)) + 1;
        at += bytes;
        unpacked.append(block, at, length);
        at += length;
        break;
      }
      case 1:
        unpacked.repeat(((tag >> 5) << 8) | block.readUInt8(at++), (value & 7) + 4);
        break;
      case 2:
        unpacked.repeat(block.readUInt16LE(at), value + 1);
        at += 2;
        break;
      default:
        unpacked.repeat(block.readUInt32LE(at), value + 1);
        at += 4;
    }
  }
}
