import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RateLimit, tooManyRequests } from './rate-limit.js';

/** Counts requests for the gateway's own pages by address, as those that go to a service without a token. */
@Injectable()
export class LimitStrangers implements CanActivate {
  constructor(private readonly rateLimit: RateLimit) {}

  /** @throws DomainError 429 `rate_limited` */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const { allowed, headers } = await this.rateLimit.take(undefined, http.getRequest<FastifyRequest>().ip, 'request');
    void http.getResponse<FastifyReply>().headers(headers);
    if (allowed) return true;
    throw tooManyRequests('Too many requests from this address in this minute.', Number(headers['retry-after']));
  }
}
