import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Json } from './support/api.js';
import { System } from './support/system.js';

const METHODS = ['post', 'put', 'patch'] as const;
const SOME_ID = '0199f000-0000-7000-8000-0000000000aa';
const BOUNDED_FORMATS = ['uuid', 'date', 'date-time', 'email', 'iso-3166', 'iso-4217'];
/** Bodies that are bounded by their size alone: whole files, and what a payment provider sends. */
const FILES =
  /^(multipart\/form-data|application\/x-www-form-urlencoded|text\/csv|application\/(x-ndjson|octet-stream))/;
const CALLBACKS = /^\/public\/payment\/callbacks\//;

/** What the document says about bodies of requests: no list, text or free object without an end. */
describe('what a request may bring', () => {
  let document: Json;

  beforeAll(async () => {
    document = (await (await System.shared()).api.get('/openapi.json')).body;
  });

  const resolved = (schema: Json): Json =>
    schema.$ref ? document.components.schemas[String(schema.$ref).split('/').at(-1)!] : schema;

  function endless(given: Json, at: string, seen: readonly Json[] = []): string[] {
    const schema = resolved(given);
    if (seen.includes(schema) || schema.readOnly) return [];
    const inner = (part: Json, name: string): string[] => endless(part, `${at}${name}`, [...seen, schema]);
    const types: string[] = [schema.type ?? []].flat();
    const found: string[] = [];
    if (types.includes('array') && schema.maxItems === undefined) found.push(`${at}: maxItems`);
    const isShort =
      schema.oneOf ||
      schema.maxLength !== undefined ||
      schema.enum ||
      schema.const !== undefined ||
      schema.pattern ||
      BOUNDED_FORMATS.includes(schema.format);
    if (types.includes('string') && !isShort) found.push(`${at}: maxLength`);
    const isFree = typeof schema.additionalProperties === 'object' || schema.additionalProperties === true;
    if (isFree && schema.maxProperties === undefined) found.push(`${at}: maxProperties`);
    return [
      ...found,
      ...Object.entries<Json>(schema.properties ?? {}).flatMap(([name, part]) => inner(part, `.${name}`)),
      ...(schema.items ? inner(schema.items, '[]') : []),
      ...(typeof schema.additionalProperties === 'object' ? inner(schema.additionalProperties, '.*') : []),
      ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])].flatMap((part: Json) =>
        inner(part, ''),
      ),
    ];
  }

  it('has an end, and the document says which', () => {
    const bodies = Object.entries<Json>(document.paths)
      .filter(([path]) => !CALLBACKS.test(path))
      .flatMap(([path, item]) =>
        METHODS.filter((method) => item[method]?.requestBody).flatMap((method) =>
          Object.entries<Json>(item[method].requestBody.content)
            .filter(([type]) => !FILES.test(type))
            .map(([, { schema }]) => ({ at: `${method.toUpperCase()} ${path} `, schema })),
        ),
      );
    expect(bodies.length).toBeGreaterThan(60);
    expect(bodies.flatMap(({ at, schema }) => endless(schema, at))).toEqual([]);
  });

  it('has no query parameter that the document does not know', async () => {
    const system = await System.shared();
    const sandbox = await system.sandbox();
    const operations = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
      ['get', 'delete', ...METHODS].flatMap((method) => {
        const permission = item[method]?.['x-permission'];
        return permission ? [{ method, path, api: permission === 'operator' ? system.api : sandbox.api }] : [];
      }),
    );
    expect(operations.length).toBeGreaterThan(300);
    for (const { method, path, api } of operations) {
      const target = `${path.replace(/\{[^}]+\}/g, SOME_ID)}?nowhere=true`;
      const { status, body } = await api.send(method.toUpperCase(), target, /get|delete/.test(method) ? undefined : {});
      const refused = [400, 'The query parameter nowhere is unknown here.'];
      expect([method, path, status, body.detail]).toEqual([method, path, ...refused]);
    }
  });
});
