import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { notFound } from '@kontor/kernel';
import type { FastifyRequest } from 'fastify';

/**
 * Keeps the scripts of other web sites, which a browser on this machine may run, from reading a page whose password the
 * browser remembers.
 */
export class OwnPagesOnly implements CanActivate {
  /** @throws DomainError `not_found` */
  canActivate(context: ExecutionContext): boolean {
    const { origin, 'sec-fetch-site': site } = context.switchToHttp().getRequest<FastifyRequest>().headers;
    if (origin !== undefined || (site !== undefined && site !== 'none' && site !== 'same-origin'))
      throw notFound('The page');
    return true;
  }
}
