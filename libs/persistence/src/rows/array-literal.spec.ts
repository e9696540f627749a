import { describe, expect, it } from '@jest/globals';
import { arrayLiteral, jsonLines, splitLines } from './array-literal.js';

describe('a column as an array literal', () => {
  it.each([
    [[], '{}'],
    [[1, 2n, true, null], '{1,2,true,NULL}'],
    [['wallet:0199-a', 'EUR'], '{wallet:0199-a,EUR}'],
    [['', 'null', 'Null', 'a b', 'a,b', '{}'], '{"","null","Null","a b","a,b","{}"}'],
    [['say "hi"', 'back\\slash', 'tab\there', 'ä'], '{"say \\"hi\\"","back\\\\slash","tab\there","ä"}'],
    [[new Date('2026-03-02T09:00:00Z')], '{2026-03-02T09:00:00.000Z}'],
  ])('%j', (values, literal) => expect(arrayLiteral(values)).toBe(literal));
});

describe('a column of JSON as lines', () => {
  it('has a line a text, whatever it holds, and an empty one for a null', () => {
    const texts = [JSON.stringify({ 'a"b': 'c\\d\n\r\u0001ä\u2028' }), null, 'null', '7', '[]'];
    expect(jsonLines(texts).split('\n')).toEqual(texts.map((text) => text ?? ''));
  });

  it('is taken apart by the database into an array of its type', () => {
    expect(splitLines('$2', 'jsonb')).toBe("string_to_array($2, E'\\n', '')::jsonb[]");
    expect(splitLines('$2', 'text')).toBe("string_to_array($2, E'\\n', '')");
  });
});
