import { METHODS } from 'node:http';
import replyFrom from '@fastify/reply-from';
import type { ServiceName } from '@kontor/contracts';
import { DomainError, notFound } from '@kontor/kernel';
import { neverSent, ServiceUnavailable, WAITED_HEADER, hasTimedOut } from '@kontor/service-kit';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { Authenticate, Caller } from '../auth/authenticate.js';
import type { GatewayConfig } from '../config.js';
import type { Bulkheads } from '../limits/bulkheads.js';
import { type RateLimit, tooManyRequests } from '../limits/rate-limit.js';
import type { Directory } from '../routes/directory.js';
import type { Route } from '../routes/route-table.js';
import { sendProblem } from '../send-problem.js';
import { answeredHeaders, type ForwardedHeaders, headersFor, isOauth } from './headers-for.js';
import { ASK_FOR_KEY, bearerOf, isLocalPage, mustNameThisMachine } from './local-pages.js';
import { isStreamed, paceOf, takeBody } from './body-limit.js';
import { askedOf, countRequest } from './count-request.js';
import { type Answer, passOn } from './pass-on.js';

/** Longer than the slowest answer that waits on purpose (finalization: 5 s), shorter than a client's patience. */
const UPSTREAM_TIMEOUT_MS = 30_000;
/** A file is answered when all of it is stored, and a service may read nothing of it for so long while its database is busy. */
const IMPORT_TIMEOUT_MS = 600_000;
const isImport = (path: string): boolean => path.endsWith('/import');

/** Said of an answer that did not come to its end: of the problem in its place they are not true. */
const OF_CONTENT = ['content-length', 'content-disposition', 'etag', 'last-modified', 'cache-control', 'location'];

/** An address that an app is led back to has what came in the query, where one character may have become three. */
const ANSWERED_HEADER_BYTES = 64 * 1024;

interface Parts {
  readonly config: GatewayConfig;
  readonly directory: Directory;
  readonly authenticate: Authenticate;
  readonly rateLimit: RateLimit;
  readonly bulkheads: Bulkheads;
}

/** The public door: finds the service by path, checks token and limits, and passes the request on with a signed principal. */
export async function proxy(fastify: FastifyInstance, parts: Parts): Promise<void> {
  fastify.removeAllContentTypeParsers();
  // Nothing is read before the caller is known.
  fastify.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined));
  await fastify.register(replyFrom, {
    undici: {
      // As many as the bulkheads let through.
      connections: null,
      pipelining: 1,
      headersTimeout: UPSTREAM_TIMEOUT_MS,
      bodyTimeout: UPSTREAM_TIMEOUT_MS,
      maxHeaderSize: ANSWERED_HEADER_BYTES,
    },
    // What reached a service is never sent again: only the client knows whether that is meant.
    retryMethods: [],
    maxRetriesOn503: 0,
    disableCache: true,
    disableRequestLogging: true,
  });
  fastify.setErrorHandler((error, request, reply) => sendProblem(reply, error, request.id));
  fastify.options('/*', (_request, reply) =>
    reply
      .status(204)
      .headers({
        'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
        'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key, X-Request-Id',
        'access-control-max-age': '86400',
      })
      .send(),
  );
  // Every method is routed, so that those which no operation has are 405 and not 404.
  for (const method of METHODS)
    if (!fastify.supportedMethods.includes(method) && method !== 'CONNECT') fastify.addHttpMethod(method);
  fastify.route({
    method: fastify.supportedMethods.filter((method) => method !== 'OPTIONS'),
    url: '/*',
    handler: (request, reply) => forward(request, reply, parts),
  });
}

async function forward(request: FastifyRequest, reply: FastifyReply, parts: Parts): Promise<FastifyReply> {
  const path = request.url.split('?', 1)[0] as string;
  const route = resolve(askedOf(request), path, reply, parts.directory);
  const local = isLocalPage(path);
  if (local) mustNameThisMachine(request.headers.host);
  const asked = parts.authenticate.execute.bind(parts.authenticate);
  const caller = await identify(request, route, asked).catch((error: unknown) => {
    if (local) void reply.header('www-authenticate', ASK_FOR_KEY);
    throw error;
  });
  const limit = await countRequest(request, path, caller, parts.rateLimit);
  void reply.headers(limit.headers);
  if (!limit.allowed)
    throw tooManyRequests(
      caller
        ? 'Too many requests for this token in this minute.'
        : 'Too many requests from this address in this minute.',
      Number(limit.headers['retry-after']),
    );
  const tenantId = caller?.principal.tenantId;
  // Of a body that was read to its end, and sent on, nobody can say any more where it came from.
  const address = request.ip;
  // No place is taken while a client still sends what can be held here.
  const body =
    askedOf(request) === 'GET'
      ? undefined
      : await takeBody(request.raw, path, mayStream(caller, route), paceOf(parts.config));
  const leave =
    tenantId === undefined || body === undefined || Buffer.isBuffer(body)
      ? await parts.bulkheads.enter(route.service, tenantId, address)
      : await parts.bulkheads.enterUpload(route.service, tenantId, isStreamed(path));
  try {
    if (reply.raw.destroyed)
      throw new DomainError('service_unavailable', { kind: 'unavailable', detail: 'Nobody waits.' });
    const headers = headersFor(request, await stillKnown(request, route, caller, parts), parts.authenticate);
    const { service } = route;
    return ask({ request, reply, service, tenantId, address, body, headers, parts, leave, refused: new Set() });
  } catch (error) {
    leave();
    throw error;
  }
}

interface Question {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly service: ServiceName;
  readonly tenantId: string | undefined;
  readonly address: string;
  readonly body: Buffer | NodeJS.ReadableStream | undefined;
  readonly headers: ForwardedHeaders;
  readonly parts: Parts;
  /** Frees the place: when the service has answered, whether or not the client is still there. */
  readonly leave: () => void;
  /** Replicas that refused the connection. */
  readonly refused: Set<string>;
}

function ask(question: Question): FastifyReply {
  const { request, reply, service, tenantId, address, body, headers, parts, refused } = question;
  const { services } = parts.config;
  const base = services.pick(service, refused);
  const end = services.enter(base);
  const leave = (): void => {
    end();
    question.leave();
  };
  // reply-from sends a stream that it finds in the request, and bytes that it is given.
  request.body = Buffer.isBuffer(body) ? undefined : body;
  const held = Buffer.isBuffer(body)
    ? { body, contentType: request.headers['content-type'] ?? 'application/octet-stream' }
    : {};
  // The path alone: what follows the question mark goes on as it came.
  return reply.from(base + request.url.split('?', 1)[0]!, {
    ...held,
    method: askedOf(request) as HTTPMethods,
    ...(isImport(request.url.split('?', 1)[0]!) ? { timeout: IMPORT_TIMEOUT_MS } : {}),
    rewriteRequestHeaders: (_request, computed) => ({
      ...headers,
      ...(held.body ? { 'content-length': computed['content-length'] } : {}),
    }),
    rewriteHeaders: (theirs) => {
      // Nothing more is heard of an answer that nobody waits for.
      if (reply.raw.destroyed) leave();
      return answeredHeaders(theirs);
    },
    onResponse: (_request, _reply, upstream) => {
      const answer = upstream as unknown as Answer;
      const waitedMs = answer.headers[WAITED_HEADER];
      if (waitedMs !== undefined) parts.bulkheads.observe(service, Number(waitedMs));
      const failed = (error: Error): void => {
        for (const name of OF_CONTENT) reply.removeHeader(name);
        void sendProblem(reply, upstreamError(service, error), request.id);
      };
      void passOn(answer, {
        service,
        reply,
        leave,
        paceIntervalMs: paceOf(parts.config),
        download: () => parts.bulkheads.enterDownload(service, tenantId, address),
      }).catch(failed);
    },
    onError: (_failed, { error }) => {
      end();
      if (causesOf(error).some(hasTimedOut)) services.timedOut(base);
      if (wasNeverSent(error)) {
        services.refused(base);
        refused.add(base);
        const again = body === undefined || Buffer.isBuffer(body);
        if (again && services.all(service).some((url) => !refused.has(url))) return void ask(question);
      }
      leave();
      void sendProblem(reply, upstreamError(service, error), request.id);
    },
  });
}

/** What is asked must be what was matched: a URL takes `\` for `/`, goes back at `..` and ends at `#`. */
const isReadAsWritten = (path: string): boolean => !/[\\#]|\/(\.|%2e){1,2}(\/|$)/i.test(path);

function resolve(method: string, path: string, reply: FastifyReply, directory: Directory): Route {
  if (!isReadAsWritten(path)) throw notFound('The resource');
  const match = directory.routes.match(method, path);
  if (!match) {
    if (!directory.complete)
      throw new DomainError('service_unavailable', {
        kind: 'unavailable',
        detail: 'The system is starting; try again.',
        retryAfterSeconds: 1,
      });
    const detail = 'No operation has this address; /openapi.json lists them all.';
    throw new DomainError('not_found', { kind: 'not_found', detail });
  }
  if ('route' in match) return match.route;
  const allowed = match.allowed.flatMap((name) => (name === 'GET' ? [name, 'HEAD'] : [name]));
  void reply.header('allow', allowed.join(', '));
  throw Object.assign(new Error('method not allowed'), { statusCode: 405 });
}

/** Who calls; for an operation that needs nobody, a token is used when it is valid and else ignored. */
async function identify(
  request: FastifyRequest,
  route: Route,
  ask: (authorization: string | undefined, address: string) => Promise<Caller>,
): Promise<Caller | undefined> {
  if (isOauth(request.url)) return undefined;
  const local = isLocalPage(request.url);
  const authorization = local ? bearerOf(request.headers.authorization) : request.headers.authorization;
  if (route.permission !== null) return ask(authorization, request.ip);
  return authorization === undefined ? undefined : ask(authorization, request.ip).catch(() => undefined);
}

/** What changes who may do what is not begun before all of its body is here: until then its sender may have lost what it shows. */
const mayStream = (caller: Caller | undefined, { service }: Route): boolean =>
  caller !== undefined && service !== 'identity';

/**
 * The caller as it is now that the request goes on: its body may have taken a minute to arrive, and another request may have ended what it
 * shows. What changes who may do what is done for nobody by an answer of a moment ago: it would last.
 */
async function stillKnown(
  request: FastifyRequest,
  route: Route,
  caller: Caller | undefined,
  { authenticate }: Parts,
): Promise<Caller | undefined> {
  if (caller === undefined || askedOf(request) === 'GET') return caller;
  return identify(request, route, (authorization, address) =>
    route.service === 'identity'
      ? authenticate.askAnew(authorization, caller, address)
      : authenticate.execute(authorization, address),
  );
}

interface Failure {
  readonly code?: string;
  readonly cause?: unknown;
}

const causesOf = (error: unknown): Failure[] =>
  typeof error === 'object' && error !== null ? [error, ...causesOf((error as Failure).cause)] : [];
const wasNeverSent = (error: Error): boolean => causesOf(error).some(({ code }) => neverSent(code ?? ''));

/** A fault of the way to the service, or the refusal of a body that was too large on its way. */
const upstreamError = (service: ServiceName, error: Error): unknown =>
  causesOf(error).find((cause) => cause instanceof DomainError) ?? new ServiceUnavailable(service, error);
