import type { ServiceName } from '@kontor/contracts';
import { finishDocument } from '../openapi/finish-document.js';
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

/** One document of all services' operations. `info.version` stays 0.0.0. */
export function mergeDocuments(parts: ReadonlyMap<ServiceName, OpenApiDocument>): OpenApiDocument {
  const paths: OpenApiDocument['paths'] = {};
  const schemas: Record<string, unknown> = {};
  const tags = new Map<string, { name: string }>();
  for (const [service, original] of parts) {
    const part = withoutCollisions(service, original, schemas);
    for (const [path, item] of Object.entries(part.paths)) paths[path] = { ...paths[path], ...item };
    Object.assign(schemas, part.components?.schemas);
    for (const tag of part.tags ?? []) tags.set(tag.name, tag);
  }
  const used = new Set(
    Object.values(paths).flatMap((item) =>
      Object.values(item).flatMap((operation) => (operation['tags'] as string[] | undefined) ?? []),
    ),
  );
  return finishDocument({
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
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'An access token, an API key (`api_…`) or a customer-bound token.',
        },
      },
    },
  });
}

/** Two services may use one name for two shapes: the later one's then begins with the service. */
function withoutCollisions(
  service: ServiceName,
  part: OpenApiDocument,
  taken: Readonly<Record<string, unknown>>,
): OpenApiDocument {
  const schemasOfPart = part.components?.schemas ?? {};
  const renamed = new Map(
    Object.keys(schemasOfPart)
      .filter((name) => name in taken && JSON.stringify(taken[name]) !== JSON.stringify(schemasOfPart[name]))
      .map((name) => [name, `${service[0]!.toUpperCase()}${service.slice(1)}${name}`]),
  );
  if (renamed.size === 0) return part;
  const rename = (_key: string, value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || !('$ref' in value)) return value;
    const name = String(value.$ref).slice('#/components/schemas/'.length);
    return { ...value, $ref: `#/components/schemas/${renamed.get(name) ?? name}` };
  };
  const copy = JSON.parse(JSON.stringify(part, rename)) as OpenApiDocument;
  const schemas = Object.fromEntries(
    Object.entries(copy.components?.schemas ?? {}).map(([name, schema]) => [renamed.get(name) ?? name, schema]),
  );
  return { ...copy, components: { ...copy.components, schemas } };
}

export function routesOf(parts: ReadonlyMap<ServiceName, OpenApiDocument>): RouteTable {
  const table = new RouteTable();
  for (const [service, part] of parts) {
    for (const [path, item] of Object.entries(part.paths)) {
      for (const [method, operation] of Object.entries(item)) {
        if (METHODS.has(method))
          table.add(method, path, {
            service,
            permission: operation['x-permission'] ?? null,
            operationId: operation.operationId ?? path,
          });
      }
    }
  }
  return table;
}
