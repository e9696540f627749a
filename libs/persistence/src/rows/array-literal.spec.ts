import { describe, expect, it } from '@jest/globals';
import { arrayLiteral, jsonArrayLiteral } from './array-literal.js';

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

describe('a column of JSON as an array literal', () => {
  it('escapes what JSON has escaped already', () => {
    const texts = [JSON.stringify({ 'a"b': 'c\\d\n\u0001ä\u2028' }), null, 'null', '7', '[]'];
    const [first, ...others] = texts.map((text) => text && text.replace(/[\\"]/g, '\\$&'));
    expect(jsonArrayLiteral(texts)).toBe(`{"${first}",NULL,"${others[1]}","7","[]"}`);
  });
});
