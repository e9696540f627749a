import { describe, expect, it } from '@jest/globals';
import { embedded, linkEmbedded } from './embedded.js';
import { freeFormsIn } from './free-forms.js';

const of = (Thing: object): string[] => freeFormsIn({ paths: {}, components: { schemas: { Thing } } });
const withField = (field: object): object => ({ type: 'object', properties: { field } });
const free = { type: 'object', additionalProperties: true };

describe('free forms of a document', () => {
  it.each([
    ['an object without fields', withField({ type: 'object' })],
    ['an object of anything', withField({ type: ['object', 'null'], additionalProperties: true })],
    ['any value under any name', withField({ patternProperties: { '^(.*)$': {} } })],
    ['named fields and others', withField({ ...free, properties: { a: { type: 'string' } } })],
    ['a value of no type', withField({ description: 'Said.' })],
    ['one of the alternatives', withField({ anyOf: [free, { type: 'null' }] })],
  ])('%s is one', (_name, schema) => {
    expect(of(schema)).toEqual(['Thing.field']);
  });

  it.each([
    ['named fields', withField({ type: 'object', properties: { a: { type: 'string' } } })],
    ['texts under any name', withField({ type: 'object', additionalProperties: { type: 'string' } })],
    ['what is ignored in a request', withField({ readOnly: true })],
    ['a reference', withField({ $ref: '#/components/schemas/Other' })],
  ])('%s: none', (_name, schema) => {
    expect(of(schema)).toEqual([]);
  });

  it('what is embedded is one until the documents are merged', () => {
    const schema = withField(embedded('Customer', 'The customer.'));
    expect(of(schema)).toEqual(['Thing.field']);
    const linked = linkEmbedded(schema, { Customer: {} }) as { properties: { field: object } };
    expect(linked.properties.field).toMatchObject({
      anyOf: [{ $ref: '#/components/schemas/Customer' }, { title: 'CustomerReference' }],
      description: 'The customer.',
    });
    expect(of(linked)).toEqual([]);
  });
});
