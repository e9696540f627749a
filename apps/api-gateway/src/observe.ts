import { createServer, type IncomingMessage, type Server } from 'node:http';
import {
  invalidRequest,
  loggedPath,
  type Log,
  Metrics,
  METRICS_TYPE,
  type RequestSpan,
  requestIdFrom,
  startRequestSpan,
  traceparentFrom,
  whenEnded,
} from '@kontor/service-kit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sendProblem } from './send-problem.js';

/** Of every answer: other origins may read it, and a browser takes a file for nothing else than it says it is. */
const HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'Idempotent-Replayed, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, X-Request-Id',
  'x-content-type-options': 'nosniff',
};

const traces = new WeakMap<FastifyRequest, { traceparent: string; span: RequestSpan | undefined }>();

/** Trace context that goes on to the service. */
export const traceparentOf = (request: FastifyRequest): string =>
  traces.get(request)?.traceparent ?? traceparentFrom(undefined);

/** Gives every request its id, trace, log line and metric, and every answer the headers that browsers need. */
export function observe(fastify: FastifyInstance, log: Log, metrics: Metrics): void {
  const ended = (request: FastifyRequest, elapsedMs: number, status: number): void => {
    const path = loggedPath(request.url);
    const durationMs = Math.round(elapsedMs * 10) / 10;
    metrics.observeRequest(request.method, '*', status, durationMs / 1000);
    traces.get(request)?.span?.end(path, status);
    log.info({ requestId: request.id, method: request.method, path, status, durationMs }, 'request');
  };
  fastify.addHook('onRequest', (request, reply, done) => {
    request.id = requestIdFrom(request.headers['x-request-id']);
    const span = startRequestSpan('api-gateway', request.method, request.headers);
    traces.set(request, { span, traceparent: span?.traceparent ?? traceparentFrom(request.headers['traceparent']) });
    whenEnded(reply, (status) => ended(request, reply.elapsedTime, status));
    void reply.header('x-request-id', request.id).headers(HEADERS);
    if (namesItsHost(request.raw)) done();
    else void sendProblem(reply, invalidRequest('A request names one host.'), request.id);
  });
}

/** Once; only HTTP/1.0 need not. Of several, Node would show one and a proxy in front may have gone by another. @see RFC 9112, 3.2 */
function namesItsHost({ rawHeaders, httpVersionMinor }: IncomingMessage): boolean {
  const names = rawHeaders.filter(
    (name, index) => index % 2 === 0 && name.length === 4 && name.toLowerCase() === 'host',
  );
  return names.length === 1 || (names.length === 0 && httpVersionMinor === 0);
}

/** Metrics on a port of their own, because the gateway's is public. */
export async function serveMetrics(metrics: readonly Metrics[], host: string, port: number): Promise<Server> {
  const server = createServer((_request, response) => {
    Metrics.together(metrics).then(
      (text) => response.setHeader('content-type', METRICS_TYPE).end(text),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  return server;
}
