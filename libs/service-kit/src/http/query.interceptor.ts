import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import { badParameter } from './bad-parameter.js';
import { type JsonSchema, operationOf } from './operation.js';
import { parameterNotes } from './route-params.js';
import { FIELDS_PARAMETER, takesFields } from './sparse-fields.js';
import { isStorableText } from './storable-text.js';

/** What a handler gets as its query, of what its operation names: `{ from: … }`. */
export type QueryOf<Known> = Readonly<Partial<Record<keyof Known, string>>>;

/**
 * The query of an operation has what its `@Operation` says and nothing else, so that nobody waits for the effect of a misspelt name.
 * Lists hold theirs against more; public operations are opened by links, to which mail programs and advertisers add their own.
 */
export class QueryInterceptor implements NestInterceptor {
  /** @throws DomainError 400 `invalid_request` */
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (context.getType() !== 'http') return next.handle();
    const handler = context.getHandler();
    const operation = operationOf(handler);
    const isList = parameterNotes(context.getClass(), handler.name).some(({ kind }) => kind === 'list');
    if (operation && operation.permission !== null && !isList) {
      const { method, query } = context.switchToHttp().getRequest<FastifyRequest>();
      const known = takesFields(method, operation) ? { ...operation.query, fields: FIELDS_PARAMETER } : operation.query;
      requireKnown(query as Record<string, unknown>, known ?? {});
    }
    return next.handle();
  }
}

/** @throws DomainError 400 `invalid_request` for a parameter that is unknown, there twice or cannot be read. */
function requireKnown(query: Readonly<Record<string, unknown>>, known: Readonly<Record<string, JsonSchema>>): void {
  for (const [name, value] of Object.entries(query)) {
    if (!Object.hasOwn(known, name)) throw badParameter(name, 'is unknown here');
    const isMany = known[name]!['type'] === 'array' || Object.hasOwn(known, `${name}[]`);
    if (Array.isArray(value) && !isMany) throw badParameter(name, 'must be there once');
    if (![value].flat().every((text) => isStorableText(text as string)))
      throw badParameter(name, 'contains a character that cannot be read');
  }
}
