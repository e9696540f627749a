import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';
import { operationOf } from './operation.js';
import { parameterNotes } from './route-params.js';
import { pick, readFields, takesFields } from './sparse-fields.js';

interface Collection {
  readonly data: readonly unknown[];
}

/** `?fields=`: answers the parts that are asked for. Handlers and their parameters know nothing of it. */
export class FieldsInterceptor implements NestInterceptor {
  /** @throws DomainError 400 `invalid_request` */
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (context.getType() !== 'http') return next.handle();
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const query = request.query as Record<string, unknown> | undefined;
    const handler = context.getHandler();
    const operation = operationOf(handler);
    if (query?.['fields'] === undefined || !operation || !takesFields(request.method, operation)) return next.handle();
    const { fields, ...others } = query;
    const wanted = readFields(fields, operation.response!);
    request.query = others;
    const isList = parameterNotes(context.getClass(), handler.name).some(
      ({ kind, list }) => kind === 'list' && list?.paged !== false,
    );
    return next
      .handle()
      .pipe(
        map((answer: unknown) =>
          isList && Array.isArray((answer as Collection | null)?.data)
            ? { ...(answer as Collection), data: (answer as Collection).data.map((entry) => pick(entry, wanted)) }
            : pick(answer, wanted),
        ),
      );
  }
}
