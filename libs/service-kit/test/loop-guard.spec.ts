import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { apiKeyPrincipal, eventually, type Send, testService, type TestService } from '@kontor/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Hold } from '../src/observability/loop-guard.js';
import { fault, sampleService } from './sample-service.js';

describe('the event loop', () => {
  const place = globalThis as Record<symbol, unknown>;
  const HOLDS = Symbol.for('kontor.event-loop-holds');
  const before = place[HOLDS];
  const holds: Hold[] = [];
  let notes: TestService;
  let send: Send;

  beforeAll(async () => {
    notes = await testService(sampleService);
    send = notes.as(apiKeyPrincipal(newUuid()));
    // What this spec holds on purpose is not what the runner looks for.
    place[HOLDS] = holds;
  });
  afterAll(async () => {
    place[HOLDS] = before;
    Object.assign(fault, { delayMs: 0 });
    await notes.stop();
  });

  const seen = (operation: string): Hold[] => holds.filter((hold) => hold.operation === operation);
  const counted = async (): Promise<string> => (await notes.as(null)('GET', '/internal/metrics')).body as string;

  it('that a request holds is reported with the request, among others that wait', async () => {
    await Promise.all([
      ...Array.from({ length: 5 }, () => send('POST', '/notes', { title: 'waits' })),
      send('POST', '/notes/hold', { title: 'holds', weight: '600' }),
      ...Array.from({ length: 5 }, () => send('GET', '/notes')),
    ]);
    await eventually(() => Promise.resolve(seen('POST /notes/hold').length > 0), 'the hold');
    expect(seen('POST /notes/hold')[0]!.ms).toBeGreaterThanOrEqual(200);
    expect(await counted()).toContain('event_loop_holds_total{operation="POST /notes/hold",service="billing"} 1');
  });

  it('is not held by a request that waits', async () => {
    fault.delayMs = 1000;
    holds.length = 0;
    expect((await send('POST', '/notes', { title: 'slow' })).status).toBe(201);
    await sleep(100);
    expect(seen('POST /notes')).toEqual([]);
  });
});
