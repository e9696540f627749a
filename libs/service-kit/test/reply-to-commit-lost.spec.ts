import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import {
  apiKeyPrincipal,
  eventually,
  FaultProxy,
  type TestAnswer,
  testService,
  type TestService,
} from '@kontor/testing';
import { sampleService } from './sample-service.js';

/** PostgreSQL goes away in a transaction, or its reply to COMMIT is lost. @see docs/rules/safety.md#database-away */
describe('the connection to PostgreSQL breaks in a request', () => {
  let test: TestService;
  let proxy: FaultProxy;
  const tenantId = newUuid();

  beforeAll(async () => {
    test = await testService(sampleService, {
      env: { LOG_LEVEL: 'silent' },
      via: async (url) => {
        const through = await FaultProxy.inFrontOf(url);
        proxy = through.proxy;
        return through.url;
      },
    });
  });
  afterAll(async () => {
    proxy.heal();
    await test.stop();
    await proxy.close();
  });
  afterEach(() => proxy.heal());

  const notes = async (title: string): Promise<number> =>
    Number((await test.peek<{ n: bigint }>('SELECT count(*) AS n FROM note WHERE title = $1', [title]))[0]!.n);
  const events = async (id: string): Promise<number> =>
    Number((await test.peek<{ n: bigint }>('SELECT count(*) AS n FROM outbox WHERE aggregate_id = $1', [id]))[0]!.n);

  /** Breaks the connection when the note's transaction commits. Of a statement that is prepared, only what it is about is sent. */
  const atCommit = (title: string, breakIt: () => void): void => {
    let isSent = false;
    proxy.onRequest = (chunk) => {
      isSent ||= chunk.includes(title);
      if (!isSent || !chunk.includes('COMMIT')) return;
      proxy.onRequest = () => undefined;
      breakIt();
    };
  };

  const caller = apiKeyPrincipal(tenantId);
  const send = (title: string, key: string): Promise<TestAnswer> =>
    test.as(caller)('POST', '/notes', { title }, { 'idempotency-key': key });
  const untilCreated = (title: string, key: string): Promise<TestAnswer> =>
    eventually(async () => {
      const answer = await send(title, key);
      if (answer.status === 201) return answer;
      expect([409, 500, 503]).toContain(answer.status);
      return undefined;
    }, 'the note');

  it.each([
    [
      'the reply to COMMIT is lost: committed',
      () => {
        proxy.dropReplies = true;
        setTimeout(() => {
          proxy.cut();
          proxy.heal();
        }, 80);
      },
    ],
    ['COMMIT does not arrive: rolled back', () => proxy.cut()],
    [
      'the server is away for a while',
      () => {
        proxy.refuse();
        setTimeout(() => proxy.heal(), 300);
      },
    ],
  ])('%s; the retry with the same key has one effect', async (what, breakIt) => {
    const key = newUuid();
    const title = what.slice(0, 30);
    atCommit(title, breakIt);
    const first = await send(title, key);
    expect([500, 503]).toContain(first.status);
    expect(JSON.stringify(first.body)).not.toMatch(/ECONN|Connection terminated/);
    const created = await untilCreated(title, key);
    expect((await send(title, key)).body).toEqual(created.body);
    expect(await notes(title)).toBe(1);
    expect(await events(created.body.id)).toBe(1);
  });
});
