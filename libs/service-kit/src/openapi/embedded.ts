import { Type } from '@sinclair/typebox';
import type { JsonSchema } from '../http/operation.js';

/** Marks what a service answers of a resource of another one. */
const EMBEDS = 'x-embeds';

/**
 * A resource of another service as its GET answers it, or its id alone where there is no copy of it any more. The
 * component is another document's: only the merged document refers to it.
 */
export const embedded = (component: string, description?: string) =>
  Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    properties: { id: { type: 'string', format: 'uuid' } },
    additionalProperties: true,
    [EMBEDS]: component,
    ...(description === undefined ? {} : { description }),
  });

/** Refers to the components that a merged document has of what is embedded. */
export function linkEmbedded(schema: unknown, components: Readonly<Record<string, unknown>>): unknown {
  if (Array.isArray(schema)) return schema.map((part) => linkEmbedded(part, components));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { [EMBEDS]: component, ...words } = schema as JsonSchema;
  if (typeof component === 'string' && component in components) {
    const { description, additionalProperties: _, ...reference } = words;
    const anyOf = [{ $ref: `#/components/schemas/${component}` }, { ...reference, title: `${component}Reference` }];
    return { anyOf, ...(description === undefined ? {} : { description }) };
  }
  return Object.fromEntries(Object.entries(words).map(([word, value]) => [word, linkEmbedded(value, components)]));
}
