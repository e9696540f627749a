import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { apiKeyPrincipal, testService, type TestService } from '@kontor/testing';
import { startTracing } from '../src/index.js';
import { sampleService } from './sample-service.js';

const received: Buffer[] = [];
const collector = createServer((request, response) => {
  request.on('data', (chunk: Buffer) => received.push(chunk));
  request.on('end', () => response.writeHead(200).end());
});
let test: TestService;
let stopTracing: () => Promise<void>;

beforeAll(async () => {
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  Object.assign(process.env, {
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_METRICS_EXPORTER: 'none',
    OTEL_LOGS_EXPORTER: 'none',
  });
  stopTracing = await startTracing('kontor-test', endpoint);
  test = await testService(sampleService);
});
afterAll(async () => {
  await test.stop();
  collector.closeAllConnections();
  collector.close();
});

it("a request is a span of its caller's trace, and the trace goes on into the events", async () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const tenantId = newUuid();
  const { status } = await test.as(apiKeyPrincipal(tenantId))(
    'POST',
    '/notes',
    { title: 'Traced' },
    { traceparent: `00-${traceId}-00f067aa0ba902b7-01` },
  );
  expect(status).toBe(201);
  const [event] = await test.peek<{ headers: string }>('SELECT headers FROM outbox WHERE tenant_id = $1', [tenantId]);
  const headers = JSON.parse(event!.headers) as { traceparent: string; actor: { kind: string } };
  expect(headers.traceparent).toContain(traceId);
  expect(headers.traceparent).not.toContain('00f067aa0ba902b7');
  expect(headers.actor.kind).toBe('api_key');
  await stopTracing();
  const sent = Buffer.concat(received);
  expect(sent.includes(Buffer.from(traceId, 'hex')) || sent.includes(traceId)).toBe(true);
  expect(sent.includes('POST /notes')).toBe(true);
});
