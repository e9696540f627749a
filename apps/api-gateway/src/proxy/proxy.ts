import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import replyFrom from '@fastify/reply-from';
import type { ServiceName } from '@kontor/contracts';
import { DomainError, newUuid, notFound } from '@kontor/kernel';
import { INTERNAL_TOKEN_HEADER, PROBLEM_JSON, problem, problemOf, ServiceUnavailable } from '@kontor/service-kit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticate, Caller } from '../auth/authenticate.js';
import type { GatewayConfig } from '../config.js';
import type { RateLimit } from '../limits/rate-limit.js';
import type { Directory } from '../routes/directory.js';
import type { Route } from '../routes/route-table.js';
import { bodyLimitOf, CountedBody, tooLarge } from './body-limit.js';

const REQUEST_ID = /^[\x21-\x7e]{1,128}$/;
/** Longer than the slowest answer that waits on purpose (finalization: 5 s), shorter than a client's patience. */
const UPSTREAM_TIMEOUT_MS = 30_000;
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Idempotent-Replayed, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, X-Request-Id',
};

interface Parts {
  readonly config: GatewayConfig;
  readonly directory: Directory;
  readonly authenticate: Authenticate;
  readonly rateLimit: RateLimit;
}

/**
 * The public door: finds the service by path, checks token and limits, and passes the request on with a signed principal.
 * Bodies stream through unread. Register it as a plugin: its error handler and its way with bodies are its own.
 */
export async function proxy(fastify: FastifyInstance, parts: Parts): Promise<void> {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', (_request: FastifyRequest, payload: IncomingMessage, done: (error: Error | null, body?: unknown) => void) => done(null, payload));
  await fastify.register(replyFrom, {
    undici: { connections: 64, pipelining: 1, headersTimeout: UPSTREAM_TIMEOUT_MS, bodyTimeout: UPSTREAM_TIMEOUT_MS },
    // reply-from retries what is idempotent by HTTP; a failed connection is told instead, clients have their own keys.
    retryMethods: [],
    maxRetriesOn503: 0,
    disableCache: true,
  });
  fastify.addHook('onRequest', (request, reply, done) => {
    const given = request.headers['x-request-id'];
    request.id = typeof given === 'string' && REQUEST_ID.test(given) ? given : newUuid();
    void reply.header('x-request-id', request.id).headers(CORS);
    done();
  });
  fastify.setErrorHandler((error, request, reply) => send(reply, error, request.id));
  fastify.options('/*', (_request, reply) =>
    reply
      .status(204)
      .headers({
        'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
        'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key, X-Request-Id',
        'access-control-max-age': '86400',
      })
      .send(),
  );
  fastify.route({
    method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    url: '/*',
    handler: (request, reply) => forward(request, reply, parts),
  });
}

async function forward(request: FastifyRequest, reply: FastifyReply, parts: Parts): Promise<FastifyReply> {
  const path = request.url.split('?', 1)[0] as string;
  const route = resolve(request.method, path, reply, parts.directory);
  const caller = await identify(request, route, parts.authenticate);
  const usage = path.startsWith('/api/usage-events') && request.method === 'POST';
  const limit = await parts.rateLimit.take(caller, request.ip, usage);
  void reply.headers(limit.headers);
  if (!limit.allowed) {
    throw new DomainError('rate_limited', { status: 429, detail: 'Too many requests for this token in this minute.', retryAfterSeconds: Number(limit.headers['retry-after']) });
  }
  const body = limited(request, path);
  return reply.from(parts.config.services.pick(route.service) + request.url, {
    ...(body === undefined ? {} : { body }),
    rewriteRequestHeaders: (_request, headers) => {
      const { authorization: _authorization, [INTERNAL_TOKEN_HEADER]: _forged, host: _host, ...rest } = headers;
      return { ...rest, 'x-request-id': request.id, ...(caller ? { [INTERNAL_TOKEN_HEADER]: parts.authenticate.sign(caller) } : {}) };
    },
    rewriteHeaders: ({ 'x-request-id': _theirs, ...headers }) => headers,
    onError: (failed, { error }) => void send(failed as unknown as FastifyReply, upstreamError(route.service, error), request.id),
  });
}

function resolve(method: string, path: string, reply: FastifyReply, directory: Directory): Route {
  const match = directory.routes.match(method, path);
  if (!match) {
    if (!directory.complete) throw new DomainError('service_unavailable', { status: 503, detail: 'The system is starting; try again.', retryAfterSeconds: 1 });
    throw notFound('The resource');
  }
  if ('route' in match) return match.route;
  void reply.header('allow', match.allowed.join(', '));
  throw Object.assign(new Error('method not allowed'), { statusCode: 405 });
}

/** Who calls; for an operation that needs nobody, a token is used when it is valid and else ignored. */
async function identify(request: FastifyRequest, route: Route, authenticate: Authenticate): Promise<Caller | undefined> {
  const { authorization } = request.headers;
  if (route.permission !== null) return authenticate.execute(authorization);
  return authorization === undefined ? undefined : authenticate.execute(authorization).catch(() => undefined);
}

function limited(request: FastifyRequest, path: string): Readable | undefined {
  if (request.body === undefined || request.body === null) return undefined;
  const limit = bodyLimitOf(path, request.headers['content-type']);
  const announced = request.headers['content-length'];
  if (announced !== undefined) {
    if (Number(announced) > limit) throw tooLarge(limit);
    return undefined;
  }
  return (request.body as Readable).pipe(new CountedBody(limit));
}

/** A fault of the way to the service, or the refusal of a body that was too large on its way. */
function upstreamError(service: ServiceName, error: Error): unknown {
  const cause = (error as { cause?: unknown }).cause;
  return [error, cause].find((candidate) => candidate instanceof DomainError) ?? new ServiceUnavailable(service, error);
}

function send(reply: FastifyReply, error: unknown, requestId: string): FastifyReply {
  const status = (error as { statusCode?: number }).statusCode;
  const answer = status === 405 ? { body: problem(405, requestId), headers: {}, fault: false } : problemOf(error, requestId);
  if (answer.fault) reply.log.error({ err: error, requestId }, 'request failed');
  return reply.status(answer.body.status).headers({ ...answer.headers, 'content-type': PROBLEM_JSON }).send(JSON.stringify(answer.body));
}
