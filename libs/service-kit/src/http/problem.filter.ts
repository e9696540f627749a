import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../observability/log.js';
import { loggedPath } from '../observability/logged-path.js';
import { notNowPage } from '../pages/not-now-page.js';
import { PROBLEM_JSON } from './problem.js';
import { problemOf } from './problem-of.js';

/** The only place where an error becomes an answer. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(private readonly log: Log) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    sendProblem(error, request, reply, this.log);
  }
}

export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply, log: Log): void {
  const { body, headers, fault } = problemOf(error, request.requestId);
  if (fault)
    log.error(
      { err: error, method: request.method, path: loggedPath(request.url), requestId: request.requestId },
      'request failed',
    );
  if (reply.sent) return;
  const page = notNowPage(body.status, request);
  void reply
    .status(body.status)
    .headers({ ...headers, ...(page?.headers ?? { 'content-type': PROBLEM_JSON }) })
    .send(page?.html ?? JSON.stringify(body));
}
