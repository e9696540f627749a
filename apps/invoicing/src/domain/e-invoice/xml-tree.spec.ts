import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { create } from 'xmlbuilder2';
import { parseXml } from './reading/xml-node.js';
import { type XmlTree, xmlOf } from './xml-tree.js';

const name = fc.constantFrom('ram:ID', 'ram:Name', 'udt:Indicator', 'ram:TradeTax', 'ram:Note');
const text = fc.oneof(
  fc.constantFrom('<b>', 'a > b', '"so"', 'Żółć', '19'),
  fc.string({ unit: 'grapheme', minLength: 1 }),
);

/** Trees of any shape; the library reads entities in texts, so these have none. */
const { content } = fc.letrec<{ content: XmlTree[string]; tree: XmlTree }>((tie) => ({
  content: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    text.map((value) => value.replaceAll('&', '+')),
    fc.record(
      { '@unitCode': fc.constant('C"62'), '#': text.map((value) => value.replaceAll('&', '+')) },
      { noNullPrototype: true },
    ),
    tie('tree'),
    fc.array(tie('tree'), { minLength: 1, maxLength: 3 }),
  ),
  tree: fc.dictionary(name, tie('content'), { minKeys: 1, maxKeys: 4, noNullPrototype: true }),
}));

const rooted = (tree: XmlTree[string]): XmlTree => ({
  Invoice: { '@xmlns': 'urn:r', '@xmlns:ram': 'urn:a', '@xmlns:udt': 'urn:u', 'ram:Part': tree },
});

describe('a tree as XML', () => {
  it('is what the library writes of it, the first and every later time', () => {
    fc.assert(
      fc.property(content, (tree) => {
        const expected = create({ version: '1.0', encoding: 'UTF-8' }, rooted(tree)).end();
        expect(xmlOf(rooted(tree))).toBe(expected);
        expect(xmlOf(rooted(tree))).toBe(expected);
      }),
      { numRuns: 500 },
    );
  });

  it.each(['AT&amp;T', '&#65;', '&#99999999;', '&lt;b&gt;', '&', '&unknown;', ']]>', '$&', '<!-- -->'])(
    'keeps the text %s as it is',
    (value) => {
      const read = parseXml(Buffer.from(xmlOf(rooted({ 'ram:Name': value }))));
      expect(read.at('Invoice', 'Part', 'Name').text).toBe(value);
    },
  );
});
