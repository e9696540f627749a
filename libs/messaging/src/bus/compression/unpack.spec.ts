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

describe('what other programs wrote', () => {
  const events = Array.from({ length: 40 }, (_, n) =>
    JSON.stringify({ transactionId: `t-${n * n}`, eventName: 'api_call', bytes: (n * 7919) % 1000 }),
  ).join('\n');

  it('is unpacked from Snappy (snappy 7.4.3)', () => {
    const packed = Buffer.from(
      '+hLgeyJ0cmFuc2FjdGlvbklkIjoidC0wIiwiZXZlbnROYW1lIjoiYXBpX2NhbGwiLCJieXRlcyI6MH0KTjkAADGCOQAIOTE5VjsAADSCOwAIOD' +
        'M4VjsAADmCOwAINzU3VjsABDE2gjwACDY3NlY8AAQyNYI8AAg1OTVWPAAAM4Z4AAg1MTRWPAAANIbwAAg0MzNWPAAANoZnAQgzNTJWPAAAOIbe' +
        'AQgyNzFWPAAEMTCGVAIIMTkwWj0AADKGegAEMTBaWAIEMTSG8wAAMlpZAgQxNoZrAQQ5NF5bAgA5huQBBDg2XlwCil0CBDc4Wl0CBDI1hnoABD' +
        'cwWl4CBDI4hvQABDYyWl8CBDMyhm0BBDU0WmACBDM2hucBBDQ2WmECADSKYQIEMzhaYQIENDSGegAEMjlaYQIENDiG9AAEMjFaYgIENTKGbgEE' +
        'MTNaYgIENTeG6AEANVphAgA2imECBDk3WmECADaKeQAEODlaYQIAN4rzAAQ4MVphAgA3im0BBDczWmECADiK5wEENjVaYQIAOYphAgQ1N1phAg' +
        'A5jtsCADhaYQIEMTCKVgMENDBaYgIEMTCK0QMEMzJaYwIEMTGKTAQEMjRaZQIAMY7HBAQxNlpmAgQxMo5CBVpmAgQxM4q8BVplAgQxNIo0BgQ5' +
        'MlpmAgQxNYqvBgw4NDF9',
      'base64',
    );
    expect(unpackSnappy(packed, 10_000).toString()).toBe(events);
  });

  it('is unpacked from LZ4 (lz4-napi 2.10.0)', () => {
    const packed = Buffer.from(
      'BCJNGGBAggMCAAD/KnsidHJhbnNhY3Rpb25JZCI6InQtMCIsImV2ZW50TmFtZSI6ImFwaV9jYWxsIiwiYnl0ZXMiOjB9CjkAAR8xOQAOPzkxOT' +
        'sAAx80OwAOPzgzODsAAx85OwAOPzc1NzsAAy8xNjwADj82NzY8AAMvMjU8AA4/NTk1PAADHzN4AA8/NTE0PAADHzTwAA8/NDMzPAADHzZnAQ8/' +
        'MzUyPAADHzjeAQ8/MjcxPAADLzEwVAIPPzE5MD0ABB8yegAPLzEwWAIELzE08wAPHzJZAgQvMTZrAQ8vOTRbAgUfOeQBDy84NlwCBQ9dAhAvNz' +
        'hdAgQvMjV6AA8vNzBeAgQvMjj0AA8vNjJfAgQvMzJtAQ8vNTRgAgQvMzbnAQ8vNDZhAgQfNGECEC8zOGECBC80NHoADy8yOWECBC80OPQADy8y' +
        'MWICBC81Mm4BDy8xM2ICBC81N+gBDx81YQIEHzZhAhAvOTdhAgQfNnkAEC84OWECBB838wAQLzgxYQIEHzdtARAvNzNhAgQfOOcBEC82NWECBB' +
        '85YQIQLzU3YQIEHznbAhEfOGECBC8xMFYDEC80MGICBC8xMNEDEC8zMmMCBC8xMUwEEC8yNGUCBC8xMmYCEC8xNmYCBC8xMkIFEQ9mAgQvMTO8' +
        'BRAPZQIELzE0NAYQLzkyZgIELzE1rwYOYCI6ODQxfQAAAAA=',
      'base64',
    );
    expect(unpackLz4(packed, 10_000).toString()).toBe(events);
  });
});
