import { RequestMethod } from '@nestjs/common';
import { isDto } from '../dto/describe-dto.js';
import { FIELDS_PARAMETER, takesFields } from '../http/sparse-fields.js';
import { AMOUNT_PATTERN, type FilterKind, type ListOptions, MAX_PAGE } from '../http/list-query.js';
import type { JsonSchema, OperationOptions } from '../http/operation.js';
import { canonicalPermission } from '../http/permissions.js';
import { parameterNotes } from '../http/route-params.js';
import { hoist } from './component-schemas.js';
import { bodyName, type Components, dtoSchema } from './dto-schema.js';

/** One handler as Nest's decorators left it. */
export interface Route {
  readonly controller: Function;
  readonly handler: string;
  readonly method: RequestMethod;
  /** Nest's form: `/customers/:id`. */
  readonly path: string;
  readonly operation: OperationOptions;
}

const PROBLEM = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };
const PAGE = { ...PROBLEM, 'text/html': { schema: { type: 'string' } } };
const STANDARD = {
  ...PAGE,
  'application/json': { schema: { type: 'object' } },
  'text/plain': { schema: { type: 'string' } },
};
/** A redirect has nothing to read. */
const LEADING_ON = { 'text/html': { schema: { type: 'string' } }, 'text/plain': { schema: { type: 'string' } } };
const STATUS_WORDS: Record<number, string> = {
  400: 'The request is malformed.',
  401: 'The token is missing or not valid.',
  403: 'Not allowed.',
  404: 'Not found.',
  409: 'Conflict.',
  422: 'A value or a state does not allow it.',
  429: 'Too many requests.',
};

/** One operation object of OpenAPI 3.1. */
export function describeOperation(route: Route, components: Components): JsonSchema {
  const { operation, method } = route;
  const success = operation.success ?? (method === RequestMethod.POST ? 201 : 200);
  const body = requestBody(route, components);
  return {
    operationId: operation.id,
    summary: operation.summary,
    description: descriptionOf(route),
    tags: [operation.tag],
    'x-permission': operation.permission === null ? null : canonicalPermission(operation.permission),
    ...(operation.customerTokens ? { 'x-customer-tokens': true } : {}),
    ...(operation.scope ? { 'x-scope': operation.scope } : {}),
    ...(operation.permission === null ? { security: [] } : {}),
    parameters: parameters(route),
    ...(body ? { requestBody: body } : {}),
    responses: responses(route, success, components),
  };
}

/** What is said of it, else its summary; and what follows from the rest: how it is asked for, and by whom. */
function descriptionOf({ controller, handler, operation }: Route): string {
  const { description, summary, shownOnce, permission, customerTokens } = operation;
  const names = shownOnce?.map((name) => `\`${name}\``).join(', ');
  const isList = parameterNotes(controller, handler).some((note) => note.kind === 'list' && note.list?.paged !== false);
  return [
    description ?? `${summary.replace(/\.$/, '')}.`,
    isList && 'Pages of `limit`, from `page` 1; unknown filters are refused.',
    names && `Shown once: ${names}. A repeat under the same Idempotency-Key has no such field.`,
    permission === null
      ? 'Needs no token.'
      : `Needs the permission \`${canonicalPermission(permission)}\`${customerTokens ? ', or the token of the customer that it is about' : ''}.`,
  ]
    .filter(Boolean)
    .join('\n\n');
}

function parameters({ controller, handler, method, path, operation }: Route): JsonSchema[] {
  const notes = parameterNotes(controller, handler);
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => {
    const note = notes.find((entry) => entry.kind === 'id' && entry.name === name);
    const schema =
      note?.format === 'ulid'
        ? { type: 'string', minLength: 26, maxLength: 26 }
        : note
          ? { type: 'string', format: 'uuid' }
          : { type: 'string' };
    return { name, in: 'path', required: true, schema };
  });
  const key = {
    name: 'Idempotency-Key',
    in: 'header',
    description: operation.signsIn
      ? 'Of no effect here: nothing is kept of what somebody gets in with, and the request is done again.'
      : 'Repeating the request with the same key has one effect.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  };
  return [
    ...inPath,
    ...notes.flatMap((note) => (note.list ? listParameters(note.list) : [])),
    ...Object.entries(operation.query ?? {}).map(([name, schema]) => ({
      name,
      in: 'query',
      ...(operation.requiredQuery?.includes(name) ? { required: true } : {}),
      schema,
    })),
    ...(method === RequestMethod.POST ? [key] : []),
    ...(operation.hasETag ? [IF_NONE_MATCH] : []),
    ...(method === RequestMethod.GET && takesFields('GET', operation) ? [FIELDS_PARAMETER] : []),
  ];
}

const IF_NONE_MATCH: JsonSchema = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The ETag of an earlier answer: while nothing has changed since, 304 comes back.',
  schema: { type: 'string' },
};
const ETAG = { ETag: { description: 'Changes when the answer does.', schema: { type: 'string' } } };

function listParameters(list: ListOptions): JsonSchema[] {
  const query = (name: string, schema: JsonSchema): JsonSchema => ({ name, in: 'query', schema });
  return [
    ...(list.paged === false
      ? []
      : [
          query('page', { type: 'integer', minimum: 1, maximum: MAX_PAGE, default: 1 }),
          query('limit', { type: 'integer', minimum: 0, maximum: 100, default: 30 }),
        ]),
    ...Object.entries(list.filters ?? {}).flatMap(([name, kind]) => [
      query(name, filterSchema(kind)),
      ...(kind === 'boolean' ? [] : [query(`${name}[]`, { type: 'array', items: filterSchema(kind) })]),
    ]),
    ...(list.ranges ?? []).flatMap((name) => [
      query(`${name}[after]`, { type: 'string', format: 'date-time' }),
      query(`${name}[before]`, { type: 'string', format: 'date-time' }),
    ]),
    ...(list.order ?? []).map((name) => query(`order[${name}]`, { type: 'string', enum: ['asc', 'desc'] })),
    ...(list.search ? [query('search', { type: 'string' })] : []),
    ...Object.entries(list.others ?? {}).map(([name, kind]) => query(name, filterSchema(kind))),
  ];
}

function filterSchema(kind: FilterKind): JsonSchema {
  if (kind === 'uuid') return { type: 'string', format: 'uuid' };
  if (kind === 'day') return { type: 'string', format: 'date' };
  if (kind === 'amount') return { type: 'string', pattern: AMOUNT_PATTERN };
  if (kind === 'boolean') return { type: 'boolean' };
  return typeof kind === 'object' ? { type: 'string', enum: [...kind] } : { type: 'string' };
}

/** The body's DTO class is the one parameter type of the handler that is described. */
function requestBody({ controller, handler, operation }: Route, components: Components): JsonSchema | undefined {
  const types =
    (Reflect.getMetadata('design:paramtypes', controller.prototype as object, handler) as unknown[] | undefined) ?? [];
  const dto = types.find((type) => isDto(type)) as Function | undefined;
  const schema = operation.requestBody
    ? hoist(operation.requestBody, components)
    : dto
      ? dtoSchema(dto, components)
      : undefined;
  if (!schema) return undefined;
  const component = dto ? components.get(bodyName(dto)) : undefined;
  const required = operation.requestBody !== undefined || component?.['required'] !== undefined;
  const content = { schema, ...exampleOf(operation.examples?.request) };
  return { required, content: { [operation.requestType ?? 'application/json']: content } };
}

const exampleOf = (example: unknown): JsonSchema => (example === undefined ? {} : { example });

function responses(
  { controller, handler, operation, method, path }: Route,
  success: number,
  components: Components,
): JsonSchema {
  const isList = parameterNotes(controller, handler).some((note) => note.kind === 'list');
  const given = operation.response ? hoist(operation.response, components) : undefined;
  const schema = given && isList && !isEnvelope(operation.response!) ? listEnvelope(given) : given;
  const content =
    success === 204
      ? undefined
      : {
          [operation.responseType ?? 'application/json']: {
            schema: schema ?? {},
            ...exampleOf(operation.examples?.response),
          },
          ...Object.fromEntries(
            Object.entries(operation.alternatives ?? {}).map(([type, other]) => [
              type,
              { schema: hoist(other, components) },
            ]),
          ),
        };
  const hasId = /:\w+/.test(path);
  const refused = [
    400,
    ...(operation.permission === null ? [] : [401, 403]),
    ...(hasId ? [404] : []),
    ...(method === RequestMethod.POST ? [409] : []),
    ...(method === RequestMethod.GET ? [] : [422]),
    429,
  ];
  const all: Record<number, string> = {
    ...Object.fromEntries(refused.map((status) => [status, STATUS_WORDS[status]!])),
    ...operation.errors,
  };
  return {
    [success]: {
      description: 'Success.',
      ...(operation.hasETag ? { headers: ETAG } : {}),
      ...(content ? { content } : {}),
    },
    ...(operation.hasETag ? { 304: { description: 'Nothing has changed.' } } : {}),
    ...Object.fromEntries(
      Object.entries(all).map(([status, description]) => [
        status,
        { description, content: contentOfRefusal(status, operation) },
      ]),
    ),
  };
}

const contentOfRefusal = (status: string, operation: OperationOptions): JsonSchema =>
  operation.standardErrors
    ? Number(status) < 400
      ? LEADING_ON
      : STANDARD
    : isPage(operation, status)
      ? Number(status) < 400
        ? LEADING_ON
        : PAGE
      : PROBLEM;

/** What people open in a browser answers with pages, too: a file that they open by a link at least where the link is wrong. */
const isPage = ({ permission, responseType = '' }: OperationOptions, status: string): boolean =>
  permission === null && (/^text\/html/.test(responseType) || (status === '404' && /^text\/csv/.test(responseType)));

/** A page as a whole; an object of a list may well have a `data` or `items` of its own. */
const isEnvelope = (schema: JsonSchema): boolean => {
  const properties = (schema['properties'] ?? {}) as JsonSchema;
  const isWhole = Object.keys(properties).join() === 'data' && (properties['data'] as JsonSchema)['type'] === 'array';
  return isWhole || ('data' in properties && 'meta' in properties) || ('items' in properties && 'count' in properties);
};

const listEnvelope = (items: JsonSchema): JsonSchema => ({
  type: 'object',
  required: ['data', 'meta'],
  properties: {
    data: { type: 'array', items },
    meta: {
      type: 'object',
      required: ['pagination'],
      properties: { pagination: { $ref: '#/components/schemas/Pagination' } },
    },
  },
});
