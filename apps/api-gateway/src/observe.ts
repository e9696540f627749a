import { createServer, type Server } from 'node:http';
import {
  loggedPath,
  type Log,
  type Metrics,
  type RequestSpan,
  requestIdFrom,
  startRequestSpan,
  traceparentFrom,
} from '@kontor/service-kit';
import type { FastifyInstance, FastifyRequest } from 'fastify';

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
    done();
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
