import type { ServiceName } from '@kontor/contracts';
import { RouteTable } from './route-table.js';

/** The part of OpenAPI that the gateway reads. */
export interface OpenApiDocument {
  openapi?: string;
  info?: Record<string, unknown>;
  tags?: { name: string }[];
  paths: Record<string, Record<string, OpenApiOperation>>;
  components?: { schemas?: Record<string, unknown>; [section: string]: unknown };
  [key: string]: unknown;
}

interface OpenApiOperation {
  operationId?: string;
  'x-permission'?: string | null;
  [key: string]: unknown;
}

const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete']);

/** One document of all services' operations. `info.version` is the specification's. */
export function mergeDocuments(parts: ReadonlyMap<ServiceName, OpenApiDocument>): OpenApiDocument {
  const paths: OpenApiDocument['paths'] = {};
  const schemas: Record<string, unknown> = {};
  const tags = new Map<string, { name: string }>();
  for (const part of parts.values()) {
    for (const [path, item] of Object.entries(part.paths)) paths[path] = { ...paths[path], ...item };
    for (const [name, schema] of Object.entries(part.components?.schemas ?? {})) schemas[name] ??= schema;
    for (const tag of part.tags ?? []) tags.set(tag.name, tag);
  }
  const used = new Set(
    Object.values(paths).flatMap((item) => Object.values(item).flatMap((operation) => (operation['tags'] as string[] | undefined) ?? [])),
  );
  return {
    openapi: '3.1.0',
    info: {
      title: 'Kontor',
      version: '0.0.0',
      description:
        'Subscription billing and invoicing. Errors are problem+json with a stable `reason`; every POST takes an `Idempotency-Key`.',
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    tags: [...used].sort().map((name) => tags.get(name) ?? { name }),
    paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))),
    components: {
      schemas,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An access token, an API key (`api_…`) or a customer-bound token.' },
      },
    },
  };
}

export function routesOf(parts: ReadonlyMap<ServiceName, OpenApiDocument>): RouteTable {
  const table = new RouteTable();
  for (const [service, part] of parts) {
    for (const [path, item] of Object.entries(part.paths)) {
      for (const [method, operation] of Object.entries(item)) {
        if (METHODS.has(method))
          table.add(method, path, { service, permission: operation['x-permission'] ?? null, operationId: operation.operationId ?? path });
      }
    }
  }
  return table;
}
