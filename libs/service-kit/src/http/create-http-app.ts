import { context as otel } from '@opentelemetry/api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { notFound } from '@kontor/kernel';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { type StorageGuard, storageFull } from '@kontor/persistence';
import type { Log } from '../observability/log.js';
import { loggedPath } from '../observability/logged-path.js';
import { loopGuard } from '../observability/loop-guard.js';
import type { Metrics } from '../observability/metrics.js';
import { type RequestSpan, startRequestSpan } from '../observability/tracing.js';
import { requestIdFrom, traceparentFrom } from './ids.js';
import { invalidRequest } from './problem.js';
import { sendProblem } from './problem.filter.js';
import { type RequestContext, runInContext } from './request-context.js';
import { urlParts } from './url-parts.js';
import { whenEnded } from './when-ended.js';

export interface HttpAppOptions {
  readonly service: string;
  readonly log: Log;
  readonly metrics: Metrics;
  /** While it is full, what would write is refused. */
  readonly storage: StorageGuard;
  /** Largest body in bytes; the gateway refuses earlier where less is allowed. */
  readonly bodyLimit: number;
}

/** In an answer, for who asked us: the milliseconds in which the request waited for the database's turn. */
export const WAITED_HEADER = 'x-kontor-waited';

interface Tracked {
  context: RequestContext;
  span: RequestSpan | undefined;
  startedAt: number;
}

const tracked = new WeakMap<FastifyRequest, Tracked>();

/** A Fastify server with request ids, trace context, access log and metrics; bodies arrive as bytes. */
export function createHttpAdapter(options: HttpAppOptions): FastifyAdapter {
  const adapter = new FastifyAdapter({
    bodyLimit: options.bodyLimit,
    routerOptions: { maxParamLength: 512, ignoreTrailingSlash: true },
    forceCloseConnections: 'idle',
    keepAliveTimeout: 65_000,
    requestTimeout: 60_000,
    // What the gateway has taken (16 KiB), and what it adds.
    http: { maxHeaderSize: 32 * 1024 },
    logger: false,
    skipMiddie: true,
    multipart: false,
    frameworkErrors: (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
      request.requestId ||= requestIdFrom(request.headers['x-request-id']);
      void reply.header('x-request-id', request.requestId);
      sendProblem(error, request, reply, options.log);
    },
  });
  observeRequests(adapter.getInstance() as unknown as FastifyInstance, options);
  return adapter;
}

function senderOf({ headers, ip }: FastifyRequest): Pick<RequestContext, 'address' | 'userAgent'> {
  const forwarded = headers['x-forwarded-for'];
  const userAgent = headers['user-agent']?.slice(0, 500);
  return { address: typeof forwarded === 'string' ? forwarded : ip, ...(userAgent === undefined ? {} : { userAgent }) };
}

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

function observeRequests(server: FastifyInstance, { service, log, metrics, storage }: HttpAppOptions): void {
  server.decorateRequest('requestId', '');
  server.decorateRequest('principal', undefined);
  server.addHook('onRequest', (request, reply, done) => {
    const span = startRequestSpan(service, request.method, request.headers);
    request.requestId = requestIdFrom(request.headers['x-request-id']);
    const context: RequestContext = {
      requestId: request.requestId,
      traceparent: span?.traceparent ?? traceparentFrom(request.headers['traceparent']),
      ...senderOf(request),
      turn: { arrivedAt: performance.now(), begun: false },
      operation: { service, name: `${request.method} ${request.routeOptions.url ?? 'unknown'}` },
    };
    const entry = { context, span, startedAt: performance.now() };
    tracked.set(request, entry);
    whenEnded(reply, (status) => ended(request, entry, status));
    void reply.header('x-request-id', request.requestId);
    const { path, query } = urlParts(request.url);
    if (path.includes('%00')) return done(notFound('The resource'));
    // Services ask each other to read by other methods as well; what they write fails by itself.
    if (storage.isFull && !READS.has(request.method) && !path.startsWith('/internal/')) return done(storageFull());
    done(query.includes('%00') ? invalidRequest('The query contains a character that cannot be read.') : undefined);
  });
  // Bodies are read in the socket's own context, so the request's is entered after that.
  server.addHook('preValidation', (request, _reply, done) => {
    const { context, span } = tracked.get(request)!;
    loopGuard.enter(context);
    const go = (): void => runInContext(context, done);
    if (span) otel.with(span.context, go);
    else go();
  });
  server.addHook('onSend', (request, reply, _payload, done) => {
    const waitedMs = tracked.get(request)?.context.turn?.waitedMs;
    if (waitedMs !== undefined) void reply.header(WAITED_HEADER, String(Math.round(waitedMs)));
    done();
  });
  const ended = (request: FastifyRequest, { context, span, startedAt }: Tracked, status: number): void => {
    loopGuard.leave(context);
    const durationMs = performance.now() - startedAt;
    const route = request.routeOptions.url ?? 'unknown';
    metrics.observeRequest(request.method, route, status, durationMs / 1000);
    span?.end(route, status);
    if (route.startsWith('/internal/')) return;
    // The gateway has a line for every request; here only what went wrong is of interest.
    log[status >= 400 ? 'info' : 'debug'](
      {
        requestId: request.requestId,
        tenantId: request.principal?.tenantId,
        method: request.method,
        path: loggedPath(request.url),
        status,
        durationMs: Math.round(durationMs * 10) / 10,
      },
      'request',
    );
  };
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
}
