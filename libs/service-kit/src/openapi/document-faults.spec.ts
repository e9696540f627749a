import { describe, expect, it } from '@jest/globals';
import { completeDocument } from './complete-document.js';
import { documentFaults } from './document-faults.js';
import { exampleIdOf, kindOf } from './example-id.js';

const body = (schema: object, example?: unknown): object => ({
  required: true,
  content: { 'application/json': { schema, ...(example === undefined ? {} : { example }) } },
});
const thing = (properties: object): object => ({ type: 'object', required: Object.keys(properties), properties });
const said = { type: 'string', description: 'Said.' };

const operation = (change: object = {}): Record<string, unknown> => ({
  operationId: 'make',
  summary: 'Make one',
  description: 'Makes one.',
  'x-permission': null,
  'x-reasons': [],
  requestBody: body(thing({ said }), { said: 'a' }),
  responses: { 201: { description: 'Made.', ...body(thing({ said }), { said: 'a' }) } },
  ...change,
});
const documentOf = (post: object) => ({ paths: { '/things': { post } }, components: { schemas: {} } });
const faultsOf = (change: object): string[] => documentFaults(documentOf(operation(change)));

describe('what a document leaves unsaid', () => {
  it('is refused, one by one', () => {
    expect(faultsOf({})).toEqual([]);
    expect(faultsOf({ description: '' })).toEqual(['make: no description']);
    expect(faultsOf({ 'x-permission': undefined })).toEqual(['make: no x-permission']);
    expect(faultsOf({ 'x-reasons': undefined })).toEqual(['make: no x-reasons']);
    expect(faultsOf({ requestBody: body(thing({ said })) })).toEqual(['make: no request example']);
    expect(faultsOf({ requestBody: body(thing({ said }), {}) })).toEqual(['make: no request example']);
    expect(faultsOf({ responses: { 200: body({}) } })).toEqual(['make: no schema of the answer']);
    expect(faultsOf({ responses: { 200: body(thing({ said })) } })).toEqual(['make: no response example']);
    const silent = thing({ whatever: { type: 'string' } });
    expect(faultsOf({ requestBody: body(silent, { whatever: '' }) })).toEqual(['make: whatever has no description']);
  });

  it('is the unit of an amount and the format of a time, where they are missing', () => {
    const of = (name: string, schema: object): string[] =>
      faultsOf({ requestBody: body(thing({ [name]: { description: 'Said.', ...schema } }), { [name]: 1 }) });
    expect(of('feeAmount', { type: 'number' })).toEqual(['make: feeAmount does not say its unit']);
    expect(of('feeAmount', { anyOf: [{ type: 'integer' }, { type: 'null' }] })).toHaveLength(1);
    expect(of('feeAmount', { type: 'number', description: 'Fee in major units.' })).toEqual([]);
    expect(of('feeAmount', { type: 'object' })).toEqual([]);
    expect(of('attempts', { type: 'integer' })).toEqual([
      'make: attempts does not say what it counts, in which unit or range',
    ]);
    expect(of('attempts', { type: ['integer', 'null'], description: 'How many there were.' })).toEqual([]);
    expect(of('value', { type: ['integer', 'string'] })).toEqual([]);
    expect(of('paidAt', { type: ['string', 'null'] })).toEqual(['make: paidAt has no date format']);
    expect(of('dueDate', { anyOf: [{ type: 'string', format: 'date' }, { type: 'null' }] })).toEqual([]);
    expect(of('format', { type: 'string' })).toEqual([]);
    const domain = { type: 'string', pattern: '^(?=.{4,253}$)[a-z.]+$' };
    for (const schema of [domain, { type: 'array', items: domain }])
      expect(of('domains', schema)).toEqual([
        'make: domains has a pattern that says how long it is: minLength and maxLength do',
      ]);
    const inside = { type: 'object', patternProperties: { '^de$': thing({ unsaid: { type: 'string' } }) } };
    expect(of('texts', inside)).toEqual(['make: unsaid has no description']);
  });

  it('is filled in from the words of the names and from the schema', () => {
    const properties = { customerId: { type: 'string', format: 'uuid' }, city: { type: 'string' } };
    const given = documentOf(operation({ requestBody: body(thing(properties)), responses: {} }));
    const complete = completeDocument(given) as unknown as typeof given;
    expect(documentFaults(complete)).toEqual([]);
    expect(complete.paths['/things'].post).toMatchObject({
      requestBody: {
        content: { 'application/json': { example: { customerId: exampleIdOf('customer'), city: 'Hamburg' } } },
      },
    });
    expect(JSON.stringify(given)).not.toContain('Hamburg');
    expect(kindOf('parentCustomerId')).toBe('customer');
  });
});
