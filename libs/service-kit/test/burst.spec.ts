import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { apiKeyPrincipal, testService, type TestService } from '@kontor/testing';
import { INTERNAL_TOKEN_HEADER, InternalTokens } from '../src/index.js';
import { fault, sampleService } from './sample-service.js';

const REQUESTS = 500;
const POOL = 4;
/** With it, four connections begin about 160 requests in the time that one waits for its turn. */
const WORK_MS = 75;

interface Answer {
  readonly key: string;
  readonly status: number;
  readonly retryAfter: string | null;
  readonly reason: string | undefined;
  readonly ms: number;
}

describe('a burst of requests on a small pool', () => {
  const tenantId = newUuid();
  let notes: TestService;
  let token: string;
  beforeAll(async () => {
    notes = await testService(sampleService, { env: { DATABASE_POOL_SIZE: String(POOL), LOG_LEVEL: 'silent' } });
    token = new InternalTokens(notes.service.kit.config.internalSecret).sign(apiKeyPrincipal(tenantId));
    fault.delayMs = WORK_MS;
  });
  afterAll(async () => {
    fault.delayMs = 0;
    await notes.stop();
  });

  async function send(method: string, path: string, key: string): Promise<Answer> {
    const startedAt = performance.now();
    const response = await fetch(notes.service.url + path, {
      method,
      headers: { [INTERNAL_TOKEN_HEADER]: token, 'content-type': 'application/json', 'idempotency-key': key },
      ...(method === 'POST' ? { body: JSON.stringify({ title: 'burst' }) } : {}),
    });
    const { reason } = (await response.json()) as { reason?: string };
    const ms = performance.now() - startedAt;
    return { key, status: response.status, retryAfter: response.headers.get('retry-after'), reason, ms };
  }

  const all = (method: string, path: string): Promise<Answer[]> =>
    Promise.all(Array.from({ length: REQUESTS }, (_, n) => send(method, path, `key ${n}`)));

  it('answers each in time, with its whole effect or with none and the advice to come again', async () => {
    // What the machine needs for as many requests without a database is not ours to answer for.
    const idle = Math.max(...(await all('GET', '/notes/open/hello')).map(({ ms }) => ms));
    const answers = await all('POST', '/notes');
    expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(5000 + idle);

    const done = answers.filter(({ status }) => status === 201);
    const refused = answers.filter(({ status }) => status !== 201);
    expect(new Set(refused.map(({ status, reason, retryAfter }) => `${status} ${reason} ${retryAfter}`))).toEqual(
      new Set(['503 service_overloaded 1']),
    );
    expect(done.length).toBeGreaterThan(POOL);

    const count = async (table: string): Promise<number> =>
      (await notes.peek<{ n: number }>(`SELECT count(*)::int AS n FROM ${table} WHERE tenant_id = $1`, [tenantId]))[0]!
        .n;
    expect(await count('note')).toBe(done.length);
    expect(await count('outbox')).toBe(done.length);
    const kept = await notes.peek<{ key: string; final: boolean }>('SELECT key, final FROM idempotency');
    expect(new Set(kept.map(({ key }) => key))).toEqual(new Set(done.map(({ key }) => key)));
    expect(kept.every(({ final }) => final)).toBe(true);

    // Whoever comes again with the same key is served.
    fault.delayMs = 0;
    const again = await Promise.all(refused.slice(0, 20).map(({ key }) => send('POST', '/notes', key)));
    expect(new Set(again.map(({ status }) => status))).toEqual(new Set([201]));
    expect(await count('note')).toBe(done.length + again.length);
  });
});
