import { badParameter } from './bad-parameter.js';
import type { JsonSchema, OperationOptions } from './operation.js';

/** Names that one request may ask for, and how deep they may go. */
const MAX_FIELDS = 50;
const MAX_DEPTH = 4;
const MAX_LENGTH = 1_000;
const NAME = /^[A-Za-z_]\w{0,63}$/;

export const FIELDS_PARAMETER: JsonSchema = {
  name: 'fields',
  in: 'query',
  description:
    'Only these fields are answered, of a list in each entry: names with commas between them, `customer.email` for one inside another. ' +
    `At most ${MAX_FIELDS}, ${MAX_DEPTH} deep; unknown ones are refused.`,
  schema: { type: 'string', minLength: 1, maxLength: MAX_LENGTH },
};

/** Whether an operation answers a part of its resource: it reads JSON for somebody who is known, and has no ETag of the whole. */
export const takesFields = (method: string, operation: OperationOptions): boolean =>
  method === 'GET' &&
  operation.permission !== null &&
  operation.response !== undefined &&
  operation.responseType === undefined &&
  operation.hasETag !== true;

/** Fields to keep; an empty map: the whole value. */
type Wanted = Map<string, Wanted>;

/** @throws DomainError 400 `invalid_request` */
export function readFields(given: unknown, schema: JsonSchema): Wanted {
  if (typeof given !== 'string') throw badParameter('fields', 'must be there once');
  if (given.length > MAX_LENGTH) throw badParameter('fields', `has at most ${MAX_LENGTH} characters`);
  const paths = given.split(',');
  if (paths.length > MAX_FIELDS) throw badParameter('fields', `names at most ${MAX_FIELDS} fields`);
  const wanted: Wanted = new Map();
  for (const path of paths) {
    const names = path.split('.');
    if (names.length > MAX_DEPTH) throw badParameter('fields', `goes at most ${MAX_DEPTH} fields deep`);
    if (!names.every((name) => NAME.test(name))) throw badParameter('fields', 'has names with commas between them');
    if (!isKnown([schema], names)) throw badParameter('fields', `names ${path}, which the answer does not have`);
    add(wanted, names);
  }
  return wanted;
}

function add(wanted: Wanted, names: readonly string[]): void {
  let level = wanted;
  let isNew = false;
  for (const [n, name] of names.entries()) {
    const inner = level.get(name);
    // The whole of it is asked for already.
    if (inner?.size === 0 && !isNew && n < names.length - 1) return;
    if (!inner) isNew = true;
    const next: Wanted = inner ?? new Map<string, Wanted>();
    if (n === names.length - 1) next.clear();
    level.set(name, next);
    level = next;
  }
}

/** Whether some of these schemas has the field; an object without named fields may have any. */
function isKnown(schemas: readonly JsonSchema[], [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true;
  const objects = schemas.flatMap(objectsOf);
  const inner = objects.flatMap(({ properties }) =>
    properties && Object.hasOwn(properties, name) ? [(properties as Record<string, JsonSchema>)[name]!] : [],
  );
  if (inner.length > 0) return rest.length === 0 || isKnown(inner, rest);
  return objects.some(({ properties, patternProperties, additionalProperties }) =>
    properties === undefined
      ? true
      : patternProperties !== undefined || (additionalProperties !== undefined && additionalProperties !== false),
  );
}

function objectsOf(schema: JsonSchema): JsonSchema[] {
  const inner = [schema['anyOf'], schema['oneOf'], schema['allOf']].flat().filter(Boolean) as JsonSchema[];
  if (inner.length > 0) return inner.flatMap(objectsOf);
  if (schema['type'] === 'array') return objectsOf((schema['items'] ?? {}) as JsonSchema);
  return schema['type'] === 'object' || schema['properties'] !== undefined ? [schema] : [];
}

/** The parts of an answer that are asked for; lists keep their frame. */
export function pick(value: unknown, wanted: Wanted): unknown {
  if (wanted.size === 0 || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((entry) => pick(entry, wanted));
  const entries = Object.entries(value as Record<string, unknown>);
  return Object.fromEntries(
    entries.flatMap(([name, inner]) => {
      const more = wanted.get(name);
      return more ? [[name, pick(inner, more)] as const] : [];
    }),
  );
}
