import { createServer, type IncomingMessage, type Server } from 'node:http';
import {
  invalidRequest,
  loggedPath,
  type Log,
  type Metrics,
  type RequestSpan,
  requestIdFrom,
  startRequestSpan,
  traceparentFrom,
} from '@kontor/service-kit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sendProblem } from './send-problem.js';

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'Idempotent-Replayed, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, X-Request-Id',
};

const traces = new WeakMap<FastifyRequest, { traceparent: string; span: RequestSpan | undefined }>();

/** Trace context that goes on to the service. */
export const traceparentOf = (request: FastifyRequest): string =>
  traces.get(request)?.traceparent ?? traceparentFrom(undefined);

/** Gives every request its id, trace, log line and metric, and every answer the headers that browsers need. */
export function observe(fastify: FastifyInstance, log: Log, metrics: Metrics): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    request.id = requestIdFrom(request.headers['x-request-id']);
    const span = startRequestSpan('api-gateway', request.method, request.headers);
    traces.set(request, { span, traceparent: span?.traceparent ?? traceparentFrom(request.headers['traceparent']) });
    void reply.header('x-request-id', request.id).headers(CORS);
    if (namesItsHost(request.raw)) done();
    else void sendProblem(reply, invalidRequest('A request names one host.'), request.id);
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    const path = loggedPath(request.url);
    const durationMs = Math.round(reply.elapsedTime * 10) / 10;
    metrics.observeRequest(request.method, '*', reply.statusCode, durationMs / 1000);
    traces.get(request)?.span?.end(path, reply.statusCode);
    log.info({ requestId: request.id, method: request.method, path, status: reply.statusCode, durationMs }, 'request');
    done();
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
export async function serveMetrics(metrics: Metrics, host: string, port: number): Promise<Server> {
  const server = createServer((_request, response) => {
    void metrics.registry
      .metrics()
      .then((text) => response.setHeader('content-type', metrics.registry.contentType).end(text));
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  return server;
}
