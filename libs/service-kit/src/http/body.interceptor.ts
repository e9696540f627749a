import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { DomainError } from '@kontor/kernel';
import type { FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import { parseJsonBody } from './json-body.js';
import { operationOf } from './operation.js';
import { invalidRequest, MAX_VIOLATIONS } from './problem.js';

const JSON_TYPE = /^application\/(json|[\w.+-]+\+json)\s*(;|$)/i;

/** Reads the JSON of a body after the guard has let the request in. */
export class BodyInterceptor implements NestInterceptor {
  /** @throws DomainError 415 `unsupported_media_type`, 400 `invalid_request`. */
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (context.getType() === 'http') {
      const request = context.switchToHttp().getRequest<FastifyRequest>();
      refuseEncoded(request);
      if (Buffer.isBuffer(request.body) && operationOf(context.getHandler())?.rawBody !== true) {
        request.body = readBody(request.body, request.headers['content-type']);
        if (!takesBody(context)) refuseFields(request.body);
      }
    }
    return next.handle();
  }
}

/** @throws DomainError 415: what is packed here would be read as it is. */
function refuseEncoded({ body, headers }: FastifyRequest): void {
  const encoding = headers['content-encoding'];
  if (!Buffer.isBuffer(body) || body.length === 0 || encoding === undefined || /^identity$/i.test(encoding)) return;
  throw new DomainError('unsupported_media_type', {
    kind: 'unsupported_media',
    detail: 'Send the body without Content-Encoding.',
  });
}

/** Whether a parameter of the handler is the body. */
function takesBody(context: ExecutionContext): boolean {
  const { name } = context.getHandler();
  const parameters = Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), name) as object | undefined;
  return Object.keys(parameters ?? {}).some((key) => key.startsWith(`${RouteParamtypes.BODY}:`));
}

/** @throws DomainError 400 `unknown_field`: an operation without a body knows no field. */
function refuseFields(body: unknown): void {
  if (body === undefined) return;
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalidRequest('The body must be a JSON object.');
  const violations = Object.keys(body)
    .slice(0, MAX_VIOLATIONS)
    .map((name) => ({
      propertyPath: name,
      message: `The field ${name} is unknown: this operation takes none.`,
      code: 'unknown_field',
    }));
  if (violations[0]) throw invalidRequest(violations[0].message, violations, 'unknown_field');
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
