import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { DomainError } from '@kontor/kernel';
import type { FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import { parseJsonBody } from './json-body.js';
import { operationOf } from './operation.js';

const JSON_TYPE = /^application\/(json|[\w.+-]+\+json)\s*(;|$)/i;

/** Reads the JSON of a body after the guard has let the request in. */
export class BodyInterceptor implements NestInterceptor {
  /** @throws DomainError 415 `unsupported_media_type`, 400 `invalid_request`. */
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (context.getType() === 'http') {
      const request = context.switchToHttp().getRequest<FastifyRequest>();
      if (Buffer.isBuffer(request.body) && operationOf(context.getHandler())?.rawBody !== true)
        request.body = readBody(request.body, request.headers['content-type']);
    }
    return next.handle();
  }
}

function readBody(bytes: Buffer, contentType: string | undefined): unknown {
  if (bytes.length === 0) return undefined;
  if (!JSON_TYPE.test(contentType ?? '')) {
    throw new DomainError('unsupported_media_type', {
      kind: 'unsupported_media',
      detail: 'Send JSON with "Content-Type: application/json".',
    });
  }
  return parseJsonBody(bytes);
}
