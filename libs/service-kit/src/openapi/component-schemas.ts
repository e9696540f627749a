import type { JsonSchema } from '../http/operation.js';
import type { Components } from './dto-schema.js';

const text = { type: 'string' };

/** Components that every part of the document refers to. */
export const SHARED_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Problem: {
    type: 'object',
    description: 'RFC 9457. `reason` is stable and for programs, `detail` is for people, `instance` is the request id.',
    required: ['type', 'title', 'status', 'detail', 'reason', 'instance'],
    properties: {
      type: text,
      title: text,
      status: { type: 'integer' },
      detail: text,
      reason: text,
      instance: text,
      violations: {
        type: 'array',
        items: {
          type: 'object',
          required: ['propertyPath', 'message', 'code'],
          properties: { propertyPath: text, message: text, code: text },
        },
      },
    },
  },
  Pagination: {
    type: 'object',
    required: ['totalItems', 'itemsPerPage', 'currentPage', 'lastPage', 'pageTotalItems'],
    properties: {
      ...Object.fromEntries(
        ['totalItems', 'itemsPerPage', 'currentPage', 'lastPage', 'pageTotalItems'].map((name) => [
          name,
          { type: 'integer' },
        ]),
      ),
      totalIsEstimate: {
        type: 'boolean',
        description:
          '`true` where more than 10,000 match: `totalItems` and `lastPage` are estimates then, which become exact on the last page. Else absent.',
      },
    },
  },
};

/** Moves schemas with `$id` to the components and leaves references, so that a shape is described once. */
export function hoist(schema: JsonSchema, components: Components): JsonSchema {
  const { $id, ...rest } = Object.fromEntries(
    Object.entries(schema).map(([word, value]) => [word, hoistValue(value, components)]),
  ) as JsonSchema & { $id?: string };
  if (typeof $id !== 'string') return rest;
  components.set($id, rest);
  return { $ref: `#/components/schemas/${$id}` };
}

function hoistValue(value: unknown, components: Components): unknown {
  if (Array.isArray(value)) return value.map((item) => hoistValue(item, components));
  return typeof value === 'object' && value !== null ? hoist(value as JsonSchema, components) : value;
}
