import { describe, expect, it } from '@jest/globals';
import { parseJsonBody, readJson } from './json-body.js';

describe('a JSON body', () => {
  it.each([
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d])],
    ['half of a character', Buffer.from('{"a":"ü"}').subarray(0, 7)],
    ['too many levels', Buffer.from(`${'['.repeat(33)}${']'.repeat(33)}`)],
    ['no JSON', Buffer.from('{"a":}')],
    ['null', Buffer.from('null')],
  ])('is refused: %s', (_what, bytes) =>
    expect(() => readJson(bytes)).toThrow(expect.objectContaining({ reason: 'invalid_request' })),
  );

  it('with more than 100,000 fields in all is refused before it is read', () => {
    const fields = (count: number): string => Array.from({ length: count }, (_, n) => `"f${n}": ":"`).join(',');
    const withFields = (count: number): Buffer =>
      Buffer.from(`{"a":[{${fields(count - 51_000)}},{${fields(50_999)}}]}`);
    expect(readJson(withFields(100_000))).toMatchObject({ a: [{ f0: ':' }, { f50998: ':' }] });
    expect(() => readJson(withFields(100_001))).toThrow(expect.objectContaining({ reason: 'too_many_fields' }));
  });

  it('says of texts that cannot be stored where the first hundred are, and repeats no endless names', () => {
    const name = 'n'.repeat(100_000);
    const body = JSON.stringify({ [name]: Array.from({ length: 1_000 }, () => '\u0000') });
    let refusal: unknown;
    try {
      parseJsonBody(Buffer.from(body));
    } catch (error) {
      refusal = error;
    }
    const { violations } = refusal as { violations: { propertyPath: string }[] };
    expect([violations.length, violations[99]?.propertyPath]).toEqual([100, `${'n'.repeat(200)}[99]`]);
  });

  it.each(['1e400', '-1E+400', '0.1e0400', `1${'0'.repeat(309)}`, `9${'0'.repeat(308)}.5`])(
    'has no number that is too large, which would be Infinity here and null in the answer: %s',
    (number) => {
      const body = Buffer.from(`{"a":[{"b":${number}}],"c":"1e400"}`);
      expect(() => parseJsonBody(body)).toThrow(
        expect.objectContaining({
          reason: 'validation_failed',
          violations: [{ propertyPath: 'a[0].b', message: 'The number is too large.', code: 'out_of_range' }],
        }),
      );
    },
  );

  it('has numbers as large as there are', () => {
    const body = Buffer.from(`{"a":[1e308,-1.5E+10,1e-400,${'9'.repeat(308)},true],"b":"1e400"}`);
    expect(parseJsonBody(body)).toMatchObject({ a: [1e308, -1.5e10, 0, 1e308, true], b: '1e400' });
  });

  it('is read, brackets in texts and all', () => {
    expect(readJson(Buffer.from('{"a":"Größe \\" [[["}'))).toEqual({ a: 'Größe " [[[' });
    expect(readJson(Buffer.alloc(0))).toBeUndefined();
  });

  it.each([
    ['{"a": 1', ' at line 1, column 8.'],
    ['{\n  "a": 1,\n}', ' at line 3, column 1.'],
    ['[1, 2', ' at line 1, column 6.'],
    ['{', ' at line 1, column 2.'],
    ['"', ' at line 1, column 2.'],
    ['[', ': it ends too early.'],
    ['name=Ada', ": 'a' is not expected."],
    ['\u0000', '.'],
  ])('says where %j cannot be read', (body, where) => {
    expect(() => readJson(Buffer.from(body))).toThrow(`The body is not readable JSON${where}`);
  });
});
