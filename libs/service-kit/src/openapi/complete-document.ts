import type { JsonSchema } from '../http/operation.js';
import { ComposeExample } from './compose-example.js';
import { describeProperties } from './describe-properties.js';

interface Media {
  schema?: JsonSchema;
  example?: unknown;
  examples?: unknown;
}

/** An operation as the document has it. */
export interface DocumentedOperation {
  readonly operationId?: string;
  readonly requestBody?: { readonly content?: Readonly<Record<string, Media>> };
  readonly responses?: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>;
  readonly [key: string]: unknown;
}

export interface CompletableDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, unknown>> };
}

const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete']);

export const operationsIn = ({ paths }: CompletableDocument): DocumentedOperation[] =>
  Object.values(paths).flatMap((item) =>
    Object.entries(item).flatMap(([method, operation]) =>
      METHODS.has(method) ? [operation as DocumentedOperation] : [],
    ),
  );

/** The body that an operation succeeds with. */
export const successOf = ({ responses = {} }: DocumentedOperation): Readonly<Record<string, Media>> =>
  Object.entries(responses).find(([status]) => status < '300')?.[1].content ?? {};

/**
 * Puts into the document what follows from the rest of it: what properties mean that say nothing themselves, a request
 * and an answer of each operation as they may look. @see docs/rules/api.md#the-document
 */
export function completeDocument<D extends CompletableDocument>(given: D): D {
  const document = structuredClone(given);
  const schemas = (document.components?.schemas ?? {}) as Record<string, JsonSchema>;
  for (const [name, schema] of Object.entries(schemas)) describeProperties(name, schema);
  const compose = new ComposeExample(schemas);
  const complete = (content: Readonly<Record<string, Media>>, request: boolean): void => {
    for (const [type, media] of Object.entries(content)) {
      if (!media.schema) continue;
      describeProperties(null, media.schema);
      if (media.example !== undefined || media.examples !== undefined || type === 'application/problem+json') continue;
      if (/json$|form/.test(type)) media.example = compose.execute(media.schema, request);
    }
  };
  for (const operation of operationsIn(document)) {
    complete(operation.requestBody?.content ?? {}, true);
    complete(successOf(operation), false);
  }
  return document;
}
