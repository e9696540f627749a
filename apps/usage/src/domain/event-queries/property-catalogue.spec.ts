import { describe, expect, it } from '@jest/globals';
import { PropertyCatalogue } from './property-catalogue.js';

const occurredAt = new Date('2026-03-01T00:00:00.000Z');
const resultOf = (...all: [string, Record<string, unknown>][]) => {
  const catalogue = new PropertyCatalogue();
  for (const [eventName, properties] of all) catalogue.add({ eventName, occurredAt, properties });
  return catalogue.result();
};

describe('what is found in events', () => {
  it('is every property with its path, type and distinct samples, per event name', () => {
    const found = resultOf(
      ['api_call', { bytes: 10, by: { region: 'eu' } }],
      ['api_call', { bytes: 10, by: { region: 'us' } }],
      ['login', { bytes: '7', ok: true, none: null, tags: ['a'] }],
    );
    expect(found.eventNames).toEqual([
      { name: 'api_call', sampleProperties: { bytes: 10, by: { region: 'eu' } } },
      { name: 'login', sampleProperties: { bytes: '7', ok: true, none: null, tags: ['a'] } },
    ]);
    expect(found.allProperties).toEqual([
      { path: 'bytes', type: 'number', eventName: 'api_call', sampleValues: [10] },
      { path: 'by.region', type: 'string', eventName: 'api_call', sampleValues: ['eu', 'us'] },
      { path: 'bytes', type: 'string', eventName: 'login', sampleValues: ['7'] },
      { path: 'ok', type: 'boolean', eventName: 'login', sampleValues: [true] },
      { path: 'none', type: 'null', eventName: 'login', sampleValues: [null] },
      { path: 'tags', type: 'array', eventName: 'login', sampleValues: [['a']] },
    ]);
    expect(found.exampleEvents[2]).toEqual({
      eventName: 'login',
      properties: found.eventNames[1]!.sampleProperties,
      timestamp: occurredAt.toISOString(),
    });
  });

  it('stays small: names, properties, samples, examples, long texts and deep nesting are bounded', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}`) as Record<string, unknown>;
    const wide = Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`p${n}`, 'x'.repeat(10_000)]));
    const names = Array.from({ length: 3000 }, (_, n): [string, Record<string, unknown>] => [`e${n}`, { n }]);
    const samples = Array.from({ length: 100 }, (_, n): [string, Record<string, unknown>] => ['deep', { n }]);
    const found = resultOf(['deep', deep], ['wide', wide], ...samples, ...names);
    expect(found.eventNames).toHaveLength(200);
    expect(found.exampleEvents).toHaveLength(10);
    expect(found.allProperties.length).toBeLessThanOrEqual(2000);
    expect(
      found.allProperties.find((property) => property.path === 'n' && property.eventName === 'deep')?.sampleValues,
    ).toHaveLength(5);
    expect(found.allProperties[0]).toMatchObject({ path: 'a.a.a.a.a.a.a.a', type: 'object' });
    expect(JSON.stringify(found).length).toBeLessThan(2_000_000);
  });

  it('a property called __proto__ changes nothing but itself', () => {
    const found = resultOf(['odd', JSON.parse('{"__proto__": {"x": 1}, "y": 2}') as Record<string, unknown>]);
    expect(JSON.stringify(found)).toContain('"y":2');
    expect(({} as { x?: number }).x).toBeUndefined();
  });
});
