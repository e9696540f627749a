import { describe, expect, it } from '@jest/globals';
import { arrayLiteral } from './array-literal.js';

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
