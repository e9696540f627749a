import type { JsonSchema } from '../http/operation.js';
import { type CompletableDocument, operationsIn, successOf } from './complete-document.js';

/** What says of which kind a value is. */
const KINDS = ['type', '$ref', 'anyOf', 'oneOf', 'allOf', 'enum', 'const', 'patternProperties', 'properties'];

const partsOf = (value: unknown): JsonSchema[] => Object.values((value ?? {}) as Record<string, JsonSchema>);
const isAnything = (schema: unknown): boolean =>
  schema === true ||
  (typeof schema === 'object' && schema !== null && KINDS.every((word) => (schema as JsonSchema)[word] === undefined));

/** Schemas of the values that an object has under any name. */
const valuesOf = (schema: JsonSchema): unknown[] => [
  ...partsOf(schema['patternProperties']),
  ...(schema['additionalProperties'] ? [schema['additionalProperties']] : []),
];

function isFree(schema: JsonSchema): boolean {
  if (isAnything(schema)) return true;
  const isObject = [schema['type']].flat().includes('object') || schema['patternProperties'] !== undefined;
  if (!isObject || ['anyOf', 'oneOf', 'allOf'].some((word) => schema[word] !== undefined)) return false;
  const values = valuesOf(schema);
  if (schema['additionalProperties'] === false && values.length === 0) return false;
  return partsOf(schema['properties']).length === 0
    ? values.length === 0 || values.some(isAnything)
    : values.some(isAnything);
}

function walk(place: string, schema: JsonSchema, found: Set<string>): void {
  if (schema['readOnly'] === true || schema['$ref'] !== undefined) return;
  if (isFree(schema)) found.add(place);
  for (const [name, property] of Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>))
    walk(`${place}.${name}`, property, found);
  const inner = [schema['items'], ...valuesOf(schema)].filter((part) => typeof part === 'object' && !isAnything(part));
  for (const part of inner) walk(`${place}[]`, part as JsonSchema, found);
  if (isAnything(schema['items'])) found.add(`${place}[]`);
  for (const list of ['anyOf', 'oneOf', 'allOf'])
    for (const part of (schema[list] ?? []) as JsonSchema[]) walk(place, part, found);
}

/**
 * Where the document allows anything: objects without named fields, or with others beside them, and values of no type. What
 * requests have of read-only fields is left out: it is ignored.
 */
export function freeFormsIn(document: CompletableDocument): string[] {
  const found = new Set<string>();
  for (const [name, schema] of Object.entries((document.components?.schemas ?? {}) as Record<string, JsonSchema>))
    walk(name, schema, found);
  for (const operation of operationsIn(document)) {
    const id = String(operation.operationId);
    const bodies: [string, Readonly<Record<string, { schema?: JsonSchema }>>][] = [
      ['request', operation.requestBody?.content ?? {}],
      ['answer', successOf(operation)],
    ];
    for (const [side, content] of bodies)
      for (const [type, { schema }] of Object.entries(content))
        if (schema && /json|form/.test(type)) walk(`${id} ${side}`, schema, found);
  }
  return [...found].sort();
}
