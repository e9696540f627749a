import { describe, expect, it } from '@jest/globals';
import { DocumentedAnswers } from './documented-answers.js';

const thing = { type: 'object', required: ['id'], properties: { id: { type: 'string', format: 'uuid' } } };
const json = (schema: object): object => ({ content: { 'application/json': { schema } } });
const answers = new DocumentedAnswers({
  paths: {
    '/things/{id}': { get: { responses: { 200: json({ $ref: '#/components/schemas/Thing' }) } } },
    '/things/{id}/file': { get: { responses: { 200: { content: { 'application/pdf': { schema: {} } } } } } },
    '/things/all': { delete: { responses: { 204: {} } } },
  },
  components: {
    schemas: {
      Thing: thing,
      Problem: { type: 'object', required: ['reason'], properties: { reason: { type: 'string' } } },
    },
  },
});
const ID = '0199f000-0000-7000-8000-0000000000aa';
const differences = (
  method: string,
  path: string,
  status: number,
  body: unknown,
  contentType = 'application/json',
): string[] => answers.differences({ method, path, status, body, contentType });

describe('an answer', () => {
  it('is as the document says', () => {
    expect(differences('GET', `/things/${ID}?part=1`, 200, { id: ID, more: 1 })).toEqual([]);
    expect(differences('DELETE', '/things/all', 204, '')).toEqual([]);
    expect(differences('GET', `/things/${ID}/file`, 200, '%PDF', 'application/pdf')).toEqual([]);
    expect(differences('GET', `/things/${ID}`, 503, { reason: 'not_now' })).toEqual([]);
    expect(differences('GET', '/nowhere', 404, { reason: 'not_found' })).toEqual([]);
  });

  it.each([
    ['a body without what is required', differences('GET', `/things/${ID}`, 200, {}), /required property 'id'/],
    ['a value of another format', differences('GET', `/things/${ID}`, 200, { id: 'x' }), /body\/id must match format/],
    ['a status that is not declared', differences('GET', `/things/${ID}`, 201, { id: ID }), /status 201/],
    ['an operation that is not there', differences('PUT', `/things/${ID}`, 200, {}), /not in the document/],
    ['another media type', differences('GET', `/things/${ID}`, 200, '', 'text/html'), /"text\/html" is not declared/],
    ['a body where none is declared', differences('DELETE', '/things/all', 204, 'x'), /none is declared/],
    ['an error that is no problem', differences('GET', `/things/${ID}`, 500, {}), /required property 'reason'/],
  ])('is refused: %s', (_what, found, expected) => {
    expect(found.join('; ')).toMatch(expected);
  });
});
