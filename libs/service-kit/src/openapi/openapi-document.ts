import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { operationOf, type JsonSchema } from '../http/operation.js';
import { internalKindOf } from '../internal/internal.js';
import { SHARED_SCHEMAS } from './component-schemas.js';
import { describeOperation, type Route } from './describe-operation.js';
import { publicName, type Components } from './dto-schema.js';

export interface OpenApiDocument {
  openapi: '3.1.0';
  info: { title: string; version: string; description?: string };
  servers?: { url: string }[];
  tags?: { name: string }[];
  paths: Record<string, Record<string, JsonSchema>>;
  components: { schemas: Record<string, JsonSchema>; securitySchemes: JsonSchema };
  security: JsonSchema[];
}

const WORDS: Partial<Record<RequestMethod, string>> = {
  [RequestMethod.GET]: 'get',
  [RequestMethod.POST]: 'post',
  [RequestMethod.PUT]: 'put',
  [RequestMethod.PATCH]: 'patch',
  [RequestMethod.DELETE]: 'delete',
};

const listOf = (path: unknown): string[] =>
  Array.isArray(path) ? (path as string[]) : [(path as string | undefined) ?? ''];
const join = (...parts: string[]): string =>
  `/${parts
    .flatMap((part) => part.split('/'))
    .filter(Boolean)
    .join('/')}`;

/** Every public route of a controller. @throws Error when one has no `@Operation`. */
export function routesOf(controller: Function): Route[] {
  const prefix = Reflect.getMetadata(PATH_METADATA, controller) as unknown;
  if (prefix === undefined || internalKindOf(controller)) return [];
  const prototype = controller.prototype as Record<string, unknown>;
  return Object.getOwnPropertyNames(prototype).flatMap((name) => {
    const handler = prototype[name];
    if (name === 'constructor' || typeof handler !== 'function') return [];
    const path = Reflect.getMetadata(PATH_METADATA, handler) as unknown;
    const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
    if (path === undefined || method === undefined) return [];
    const operation = operationOf(handler);
    if (!operation) throw new Error(`${controller.name}.${name} is a route without @Operation`);
    return listOf(prefix).flatMap((first) =>
      listOf(path).map((second) => ({ controller, handler: name, method, path: join(first, second), operation })),
    );
  });
}

/** The OpenAPI 3.1 document of one service, from its controllers and DTO classes. */
export function openApiDocument(title: string, controllers: readonly Function[]): OpenApiDocument {
  const components: Components = new Map(Object.entries(SHARED_SCHEMAS));
  const paths: OpenApiDocument['paths'] = {};
  const seen = new Map<string, string>();
  for (const route of controllers.flatMap(routesOf)) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    const word = WORDS[route.method];
    if (!word) continue;
    const described = describeOperation(route, components);
    const place = `${word} ${path}`;
    // The same operation under a second path needs an id of its own.
    const id = String(described['operationId']);
    if (seen.has(id))
      described['operationId'] = `${id}${path.startsWith('/api/') ? 'UnderApi' : `At${path.replace(/\W+/g, '_')}`}`;
    seen.set(id, place);
    paths[path] = { ...paths[path], [word]: described };
  }
  return withPublicNames(components, {
    openapi: '3.1.0',
    info: { title, version: '0.0.0' },
    paths,
    components: {
      schemas: Object.fromEntries(components),
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key, an access token, or a token bound to one customer.',
        },
      },
    },
    security: [{ bearer: [] }],
  });
}

const SCHEMAS = '#/components/schemas/';

/** The document with its bodies named as clients see them. */
function withPublicNames(components: Components, document: OpenApiDocument): OpenApiDocument {
  const rename = (_key: string, value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || !('$ref' in value)) return value;
    return { ...value, $ref: `${SCHEMAS}${publicName(String(value.$ref).slice(SCHEMAS.length), components)}` };
  };
  const copy = JSON.parse(JSON.stringify(document, rename)) as OpenApiDocument;
  const named = Object.entries(copy.components.schemas).map(
    ([name, schema]) => [publicName(name, components), schema] as const,
  );
  copy.components.schemas = Object.fromEntries(named.sort(([a], [b]) => (a < b ? -1 : 1)));
  return copy;
}
