import { describe, expect, it } from '@jest/globals';
import { unpackLz4 } from './unpack-lz4.js';
import { unpackSnappy } from './unpack-snappy.js';

const LIMIT = 1_000;
const uint32 = (value: number, order: 'LE' | 'BE'): Buffer => {
  const bytes = Buffer.alloc(4);
  if (order === 'LE') bytes.writeUInt32LE(value);
  else bytes.writeUInt32BE(value);
  return bytes;
};

describe('LZ4', () => {
  const frame = (...blocks: Buffer[]): Buffer =>
    Buffer.concat([
      Buffer.from([0x04, 0x22, 0x4d, 0x18, 0x60, 0x40, 0x82]),
      ...blocks.flatMap((block) => [uint32(block.length, 'LE'), block]),
      uint32(0, 'LE'),
    ]);
  const abc = Buffer.from([0x30, ...Buffer.from('abc')]);
  /** `abc`, repeated from three bytes ago for 4 + 15 + `more` bytes, `!`. */
  const repeated = (more: number): Buffer =>
    Buffer.from([0x3f, ...Buffer.from('abc'), 3, 0, ...Array<number>(Math.floor(more / 255)).fill(255), more % 255, 0x10, 0x21]); // prettier-ignore

  it('unpacks literals, references that reach beyond what is there, and stored blocks', () => {
    expect(unpackLz4(frame(abc), LIMIT).toString()).toBe('abc');
    expect(unpackLz4(frame(repeated(0)), LIMIT).toString()).toBe(`${'abc'.repeat(7)}a!`);
    expect(unpackLz4(frame(repeated(300)), LIMIT)).toHaveLength(3 + 19 + 300 + 1);
    const stored = Buffer.concat([frame().subarray(0, 7), uint32(0x80000002, 'LE'), Buffer.from('hi'), uint32(0, 'LE')]); // prettier-ignore
    expect(unpackLz4(stored, LIMIT).toString()).toBe('hi');
    // References reach into earlier blocks.
    expect(unpackLz4(frame(abc, Buffer.from([0x00, 3, 0, 0x10, 0x21])), LIMIT).toString()).toBe('abcabca!');
  });

  it.each([
    ['what is none', Buffer.from('no frame at all')],
    ['what ends early', frame(abc).subarray(0, 12)],
    ['a reference to what is not there', frame(Buffer.from([0x10, 0x61, 9, 0, 0x10, 0x62]))],
    ['what becomes too large', frame(repeated(5_000))],
  ])('refuses %s', (_name, input) => expect(() => unpackLz4(input, LIMIT)).toThrow(RangeError));
});

describe('Snappy', () => {
  const framed = (...blocks: Buffer[]): Buffer =>
    Buffer.concat([
      Buffer.from([0x82, ...Buffer.from('SNAPPY'), 0, 0, 0, 0, 1, 0, 0, 0, 1]),
      ...blocks.flatMap((block) => [uint32(block.length, 'BE'), block]),
    ]);
  const abc = Buffer.from([3, 2 << 2, ...Buffer.from('abc')]);
  const near = Buffer.from([10, 2 << 2, ...Buffer.from('abc'), (3 << 2) | 1, 3]);
  const far = Buffer.from([0x83, 0x01, 2 << 2, ...Buffer.from('abc'), (63 << 2) | 2, 3, 0, (63 << 2) | 3, 2, 0, 0, 0]);
  const long = Buffer.from([0xc8, 0x01, 60 << 2, 199, ...Buffer.alloc(200, 0x61)]);

  it('unpacks literals and references of every kind, with and without a frame', () => {
    expect(unpackSnappy(abc, LIMIT).toString()).toBe('abc');
    expect(unpackSnappy(framed(abc, abc), LIMIT).toString()).toBe('abcabc');
    expect(unpackSnappy(near, LIMIT).toString()).toBe('abcabcabca');
    expect(unpackSnappy(far, LIMIT)).toHaveLength(3 + 64 + 64);
    expect(unpackSnappy(long, LIMIT).toString()).toBe('a'.repeat(200));
  });

  it.each([
    ['what ends early', framed(abc).subarray(0, 22)],
    ['a literal that ends early', Buffer.from([3, 9 << 2, 0x61])],
    ['a reference to what is not there', Buffer.from([4, 1, 3])],
    ['what becomes too large', Buffer.concat([abc, ...Array<Buffer>(20).fill(Buffer.from([(63 << 2) | 2, 3, 0]))])],
  ])('refuses %s', (_name, input) => expect(() => unpackSnappy(input, LIMIT)).toThrow(RangeError));
});
