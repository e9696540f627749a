import { type Context, context, propagation, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';

const tracer = trace.getTracer('kontor');
let active = false;

/** Loads the OpenTelemetry SDK only when there is a collector to send to. Call once per process, before services start. */
export async function startTracing(serviceName: string, endpoint: string | undefined): Promise<() => Promise<void>> {
  if (!endpoint) return () => Promise.resolve();
  const { NodeSDK } = await import('@opentelemetry/sdk-node');
  const sdk = new NodeSDK({ serviceName, instrumentations: [] });
  sdk.start();
  active = true;
  return () => sdk.shutdown();
}

export interface RequestSpan {
  readonly context: Context;
  readonly traceparent: string | undefined;
  end(route: string, status: number): void;
}

/** A server span for one request; undefined while tracing is off. */
export function startRequestSpan(
  service: string,
  method: string,
  headers: Record<string, unknown>,
): RequestSpan | undefined {
  if (!active) return undefined;
  const parent = propagation.extract(context.active(), headers);
  const span: Span = tracer.startSpan(
    `${service} ${method}`,
    { kind: SpanKind.SERVER, attributes: { 'service.part': service, 'http.request.method': method } },
    parent,
  );
  const spanContext = trace.setSpan(parent, span);
  const carrier: Record<string, string> = {};
  propagation.inject(spanContext, carrier);
  return {
    context: spanContext,
    traceparent: carrier['traceparent'],
    end(route, status) {
      span.updateName(`${method} ${route}`);
      span.setAttributes({ 'http.route': route, 'http.response.status_code': status });
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}
