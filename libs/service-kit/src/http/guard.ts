import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { EventHeaders } from '@kontor/contracts';
import { invariant } from '@kontor/kernel';
import { tenantClosed } from '@kontor/persistence';
import type { FastifyRequest } from 'fastify';
import { ACTOR_HEADER } from '../internal/internal-client.js';
import { internalKindOf } from '../internal/internal.js';
import { INTERNAL_TOKEN_HEADER, type InternalTokens } from '../internal/internal-token.js';
import { type OperationOptions, operationOf } from './operation.js';
import { CLOSED, permits } from './permissions.js';
import { permissionDenied, unauthenticated } from './problem.js';
import { actorOf, requestContext } from './request-context.js';

/** Lets a request through to a handler: the handler's `@Operation` says who may, `@Internal` admits services only. */
export class OperationGuard implements CanActivate {
  constructor(private readonly tokens: InternalTokens) {}

  /** @throws DomainError 401 `unauthenticated`, 403 `permission_denied`, `tenant_closed`. */
  canActivate(context: ExecutionContext): boolean {
    if (context.getType() !== 'http') return true;
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const internal = internalKindOf(context.getClass());
    if (internal === 'open') return true;
    this.identify(request);
    if (internal === 'token') return isService(request);
    const operation = operationOf(context.getHandler());
    invariant(operation, `${context.getClass().name}.${context.getHandler().name} has no @Operation`);
    admit(request, operation);
    return true;
  }

  private identify(request: FastifyRequest): void {
    const header = request.headers[INTERNAL_TOKEN_HEADER];
    if (typeof header !== 'string') return;
    request.principal = this.tokens.verify(header);
    const context = requestContext();
    if (!context) return;
    context.principal = request.principal;
    if (context.turn) context.turn.tenantId = request.principal.tenantId;
    const actor = request.headers[ACTOR_HEADER];
    if (request.principal.kind !== 'service') context.actor = actorOf(request.principal);
    else if (typeof actor === 'string')
      context.actor = JSON.parse(Buffer.from(actor, 'base64url').toString()) as EventHeaders['actor'];
  }
}

function isService(request: FastifyRequest): true {
  if (!request.principal) throw unauthenticated('A service token is needed.');
  if (request.principal.kind !== 'service') throw permissionDenied('This is for services only.');
  return true;
}

function admit({ principal }: FastifyRequest, operation: OperationOptions): void {
  if (operation.permission === null) return;
  if (!principal) throw unauthenticated();
  if (principal.kind === 'client') {
    if (operation.scope === undefined || !principal.scopes.includes(operation.scope))
      throw permissionDenied(
        operation.scope ? `The scope ${operation.scope} is needed.` : "An app's token cannot be used here.",
        operation.scope,
      );
    return;
  }
  if (principal.kind === 'customer') {
    if (!operation.customerTokens) throw permissionDenied('A token that is bound to a customer cannot be used here.');
    return;
  }
  if (principal.permissions.includes(CLOSED) && !operation.whenClosed) throw tenantClosed();
  if (!permits(principal.permissions, operation.permission))
    throw permissionDenied(`The permission ${operation.permission} is needed.`);
}
