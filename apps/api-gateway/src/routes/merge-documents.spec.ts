import { describe, expect, it } from '@jest/globals';
import { mergeDocuments, type OpenApiDocument } from './merge-documents.js';

const part = (path: string, schemas: Record<string, unknown>, ref = 'Thing'): OpenApiDocument => ({
  paths: {
    [path]: {
      get: { operationId: path, tags: ['Things'], responses: { 200: { $ref: `#/components/schemas/${ref}` } } },
    },
  },
  components: { schemas },
});

describe('one document of several', () => {
  it('keeps a shape that two services describe alike once', () => {
    const merged = mergeDocuments(
      new Map([
        ['billing', part('/a', { Thing: { type: 'string' } })],
        ['usage', part('/b', { Thing: { type: 'string' } })],
      ]),
    );
    expect(Object.keys(merged.components!.schemas!)).toEqual(['Thing']);
    expect(Object.keys(merged.paths)).toEqual(['/a', '/b']);
    expect(merged.tags).toEqual([{ name: 'Things' }]);
  });

  it('distinguishes two shapes of one name', () => {
    const merged = mergeDocuments(
      new Map([
        ['billing', part('/a', { Thing: { type: 'string' } })],
        [
          'usage',
          part('/b', {
            Thing: { type: 'object', properties: { other: { $ref: '#/components/schemas/Other' } } },
            Other: {},
          }),
        ],
      ]),
    );
    expect(merged.components!.schemas).toMatchObject({
      Thing: { type: 'string' },
      UsageThing: { type: 'object' },
      Other: {},
    });
    expect(JSON.stringify(merged.paths['/a'])).toContain('schemas/Thing"');
    expect(JSON.stringify(merged.paths['/b'])).toContain('schemas/UsageThing"');
  });
});
