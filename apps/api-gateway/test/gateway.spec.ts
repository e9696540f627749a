import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import { createServer, get, type IncomingMessage, request as httpRequest } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { INTERNAL_TOKEN_HEADER, newBearerSecret } from '@kontor/service-kit';
import { apiKeyPrincipal, eventually } from '@kontor/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RunningGateway, startGateway } from '../src/index.js';
import { FakeServices, SECRET } from './fake-services.js';

const MIB = 1024 * 1024;
const GENEROUS = {
  live: 1_000_000,
  liveUsage: 1_000_000,
  sandbox: 1_000_000,
  sandboxUsage: 1_000_000,
  anonymous: 1_000_000,
  logins: 1_000_000,
  signIns: 1_000_000,
  orders: 1_000_000,
  callbacks: 1_000_000,
};
const LIMITS = {
  live: 3,
  liveUsage: 4,
  sandbox: 5,
  sandboxUsage: 6,
  anonymous: 2,
  logins: 1,
  signIns: 2,
  orders: 1,
  callbacks: 7,
};
let fakes: FakeServices;
let gateway: RunningGateway;
let token: string;
const principal = apiKeyPrincipal(newUuid());

const start = async (
  rateLimits = GENEROUS,
  redisUrl?: string,
  maxConnectionsPerAddress?: number,
  paceIntervalMs?: number,
  burstMs?: number,
  trustedProxies?: number,
): Promise<RunningGateway> => {
  const started = await startGateway({
    host: '127.0.0.1',
    port: 0,
    services: fakes.directory,
    internalSecret: SECRET,
    rateLimits,
    logLevel: 'silent',
    redisUrl,
    maxConnectionsPerAddress,
    paceIntervalMs,
    burstMs,
    ...(trustedProxies === undefined ? {} : { trustedProxies }),
  });
  await started.ready();
  return started;
};

beforeAll(async () => {
  fakes = await FakeServices.start();
  gateway = await start();
});
afterAll(async () => {
  await gateway.stop();
  await fakes.stop();
});
beforeEach(() => {
  token = newBearerSecret('api_');
  fakes.known.set(token, { principal, mode: 'live' });
  fakes.seen.length = 0;
  fakes.answer = undefined;
});

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests read answers freely
interface Answer { status: number; headers: Headers; body: any } // prettier-ignore
async function send(
  method: string,
  path: string,
  options: { headers?: Record<string, string>; body?: unknown; base?: string; as?: string | null } = {},
): Promise<Answer> {
  const bearer = options.as === undefined ? token : options.as;
  const response = await fetch((options.base ?? gateway.url) + path, {
    method,
    headers: {
      ...(bearer ? { authorization: `Bearer ${bearer}` } : {}),
      ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(options.body === undefined ? {} : { body: options.body as string, duplex: 'half' }),
  } as RequestInit);
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text !== '' && /json/.test(response.headers.get('content-type') ?? '') ? (JSON.parse(text) as unknown) : text,
  };
}
const expectProblem = (answer: Answer, status: number, reason: string): void => {
  expect(answer.status).toBe(status);
  expect(answer.headers.get('content-type')).toContain('application/problem+json');
  expect(answer.body).toMatchObject({ status, reason, instance: answer.headers.get('x-request-id') });
};
const someBytes = (bytes: number): AsyncIterable<Buffer> =>
  (async function* () {
    for (let left = bytes; left > 0; left -= 65_536) yield Buffer.alloc(Math.min(left, 65_536), 'x');
  })();
/** Bytes that the kernel may keep for one side of a connection: the third figure, after the least and the usual. */
const mostBuffered = (side: 'rmem' | 'wmem'): number =>
  Number(readFileSync(`/proc/sys/net/ipv4/tcp_${side}`, 'utf8').trim().split(/\s+/)[2]);

describe('a local page', () => {
  const open = (authorization?: string, host?: string): Promise<{ status: number; asks: string | undefined }> =>
    new Promise((resolve, reject) => {
      const headers = { ...(authorization ? { authorization } : {}), ...(host ? { host } : {}) };
      get(`${gateway.url}/dev/mails`, { headers }, (answer) => {
        answer.resume();
        resolve({ status: answer.statusCode ?? 0, asks: answer.headers['www-authenticate'] });
      }).once('error', reject);
    });
  const password = (key: string): string => `Basic ${Buffer.from(`me:${key}`).toString('base64')}`;

  it('wants the key, which a browser may send as a password', async () => {
    expect(await open()).toEqual({ status: 401, asks: expect.stringMatching(/^Basic /) });
    expect(await open(password(newBearerSecret('api_')))).toMatchObject({ status: 401 });
    expect(await open(password(token))).toEqual({ status: 200, asks: undefined });
    expect(await open(`Bearer ${token}`)).toEqual({ status: 200, asks: undefined });
    expect((await send('GET', '/customers', { as: null, headers: { authorization: password(token) } })).status).toBe(
      401,
    );
  });

  it('answers to the names of this machine only: another one may have been made to lead here', async () => {
    const { port } = new URL(gateway.url);
    for (const host of [`evil.example:${port}`, `127.0.0.1.evil.example:${port}`, `localhost.evil.example`, '@'])
      expect(await open(password(token), host)).toEqual({ status: 404, asks: undefined });
    for (const host of [`localhost:${port}`, `LOCALHOST`, `[::1]:${port}`])
      expect(await open(password(token), host)).toMatchObject({ status: 200 });
  });
});

describe('the way of a request', () => {
  it('ends at the service that describes its path, with a signed principal and without the token', async () => {
    const { status } = await send('POST', '/customers?x=1', {
      body: '{"email":"a@b.example"}',
      headers: { 'idempotency-key': 'k', 'x-request-id': 'mine' },
    });
    expect(status).toBe(201);
    const [seen] = fakes.seen;
    expect(seen).toMatchObject({ service: 'billing', method: 'POST', url: '/customers?x=1', principal, bytes: 23 });
    expect(seen!.headers).toMatchObject({
      'idempotency-key': 'k',
      'x-request-id': 'mine',
      'content-type': 'application/json',
    });
    expect(seen!.headers.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$/);
    expect(seen!.headers.authorization).toBeUndefined();
  });

  it('cannot be given a principal or an actor from outside', async () => {
    await send('GET', '/public/offers/abc', {
      as: null,
      headers: { 'x-kontor-principal': 'forged', 'x-kontor-actor': 'forged' },
    });
    expect(fakes.seen[0]!.headers).not.toHaveProperty('x-kontor-principal');
    expect(fakes.seen[0]!.headers).not.toHaveProperty('x-kontor-actor');
  });

  it('keeps the request id, or makes one', async () => {
    expect(
      (await send('GET', '/customers', { headers: { 'x-request-id': 'mine-1' } })).headers.get('x-request-id'),
    ).toBe('mine-1');
    expect(
      (await send('GET', '/customers', { headers: { 'x-request-id': '{"no":1}' } })).headers.get('x-request-id'),
    ).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('keeps to itself how long a request waited in its service', async () => {
    fakes.answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'x-kontor-waited': '7', 'x-other': '1' }).end('{}');
      return true;
    };
    const { status, headers } = await send('GET', '/customers');
    expect([status, headers.get('x-other'), headers.get('x-kontor-waited')]).toEqual([200, '1', null]);
  });

  it('is 503 where a service does not accept our token: that of the caller is good', async () => {
    const refuse = (text: string): void => {
      const headers = { 'content-length': text.length, 'www-authenticate': 'Bearer' };
      fakes.answer = (_request, response) => Boolean(response.writeHead(401, headers).end(text));
    };
    refuse(JSON.stringify({ status: 401, reason: 'not_trusted' }));
    for (const [method, body] of [['GET'], ['POST', '{}']] as const) {
      const answer = await send(method, '/customers', { body });
      expectProblem(answer, 503, 'service_unavailable');
      expect([answer.headers.get('retry-after'), answer.headers.get('www-authenticate')]).toEqual(['1', null]);
    }
    refuse('null');
    const { status, headers } = await send('GET', '/customers');
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  });

  it('passes an address on that is three times as long as what it was made of', async () => {
    const location = `https://app.example/callback?state=${'%21'.repeat(14_000)}`;
    fakes.answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', location }).end('{}');
      return true;
    };
    // What asks here takes 16 KiB of headers by itself.
    const { status, location: answered } = await new Promise<{ status?: number; location?: string }>(
      (resolve, reject) => {
        const options = { maxHeaderSize: 64 * 1024, headers: { authorization: `Bearer ${token}` } };
        get(`${gateway.url}/customers`, options, ({ statusCode, headers }) =>
          resolve({ status: statusCode!, location: headers.location! }),
        ).on('error', reject);
      },
    );
    expect([status, answered]).toEqual([200, location]);
  });

  it('ends at 404 where no service knows the path, at 405 where none knows the method', async () => {
    expect((await send('GET', '/nowhere')).body).toMatchObject({
      detail: expect.stringContaining('No operation has this address'),
    });
    expectProblem(await send('GET', '/nowhere'), 404, 'not_found');
    expectProblem(await send('GET', '/internal/health'), 404, 'not_found');
    expectProblem(await send('GET', '/docs/assets/nothing.js'), 404, 'not_found');
    for (const method of ['PROPFIND', 'LOCK']) expect((await send(method, '/customers')).status).toBe(405);
    expectProblem(await send('GET', '/customers/%zz'), 404, 'not_found');
    const wrong = await send('DELETE', '/customers');
    expectProblem(wrong, 405, 'method_not_allowed');
    expect(wrong.headers.get('allow')).toBe('GET, HEAD, POST');
  });

  it.each([
    ['small', 20],
    ['large', 100 * 1024],
  ])('answers who asks for the headers alone as GET, without the body: %s', async (_size, bytes) => {
    const asked: (string | undefined)[] = [];
    fakes.answer = ({ method }, response) => {
      asked.push(method);
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': bytes, etag: '"1"' });
      response.end('x'.repeat(bytes));
      return true;
    };
    const { status, headers, body } = await send('HEAD', '/customers');
    expect([status, headers.get('content-length'), headers.get('etag'), body]).toEqual([200, `${bytes}`, '"1"', '']);
    expect(asked).toEqual(['GET']);
    // The connection goes on to be used.
    expect((await send('GET', '/customers')).body).toBe('x'.repeat(bytes));
    expect((await send('HEAD', '/customers', { as: null })).status).toBe(401);
    expect((await send('HEAD', '/nowhere')).status).toBe(404);
    expect((await send('HEAD', '/public/users/sign-in')).status).toBe(405);
  });

  it.each(['GET', 'HEAD'])(
    'has nothing of an answer that dies before its end on the problem that is sent: %s',
    async (method) => {
      fakes.answer = (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': 500, etag: '"1"' });
        response.write('{');
        setTimeout(() => response.destroy(), 20);
        return true;
      };
      const { status, headers, body } = await send(method, '/customers');
      expect([status, headers.get('etag'), headers.get('content-type')]).toEqual([
        503,
        null,
        expect.stringContaining('application/problem+json'),
      ]);
      expect(headers.get('content-length')).not.toBe('500');
      if (method === 'GET') expect(body).toMatchObject({ reason: 'service_unavailable' });
    },
  );

  it.each([20, 0])('answers 503 for a file of which not a byte has come when it dies, %d ms later', async (afterMs) => {
    fakes.answer = (_request, response) => {
      const disposition = 'attachment; filename="all.zip"';
      response.writeHead(200, { 'content-type': 'application/zip', 'content-disposition': disposition });
      response.flushHeaders();
      setTimeout(() => response.destroy(), afterMs);
      return true;
    };
    const answer = await send('GET', '/customers');
    expectProblem(answer, 503, 'service_unavailable');
    expect(answer.headers.get('content-disposition')).toBeNull();
  });

  it('passes an empty file of unknown length on, and one that dies on its way as cut off', async () => {
    for (const afterMs of [0, 20]) {
      fakes.answer = (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/zip' });
        response.flushHeaders();
        setTimeout(() => response.end(), afterMs);
        return true;
      };
      expect(await send('GET', '/customers')).toMatchObject({ status: 200, body: '' });
    }
    fakes.answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/zip' });
      response.write('PK');
      setTimeout(() => response.destroy(), 20);
      return true;
    };
    await expect(send('GET', '/customers')).rejects.toThrow();
  });

  it.each([
    ['what is no HTTP', 'HELLO\r\n\r\n', 400, 'invalid_request'],
    [
      'a length that is none',
      'POST /customers HTTP/1.1\r\nHost: a\r\nContent-Length: b\r\n\r\n',
      400,
      'invalid_request',
    ],
    [
      'endless headers',
      `GET /customers HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
    ['no host', 'GET /health HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'invalid_request'],
    ['two hosts', 'GET /health HTTP/1.1\r\nHost: a\r\nhost: a\r\nConnection: close\r\n\r\n', 400, 'invalid_request'],
    ['what it does not expect', 'GET /health HTTP/1.1\r\nHost: a\r\nExpect: tea\r\n\r\n', 417, 'invalid_request'],
    ['a method that HTTP does not know', 'FETCH /customers HTTP/1.1\r\nHost: a\r\n\r\n', 405, 'method_not_allowed'],
  ])('answers %s as problem+json', async (_what, text, status, reason) => {
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1', () => socket.write(text));
      let got = '';
      socket.setEncoding('utf8').on('data', (chunk: string) => (got += chunk)).on('end', () => resolve(got)).on('error', reject); // prettier-ignore
    });
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} .*content-type: application/problem\\+json`, 'is'));
    const [head, body] = answer.split('\r\n\r\n');
    const { instance, ...said } = JSON.parse(body!) as { instance: string };
    expect(said).toMatchObject({ status, reason });
    expect(head!.toLowerCase()).toContain(`\r\nx-request-id: ${instance}`);
  });

  it.each(['?search=100%', '?search=A/..B', '?search=%zz', '?a=1&a=2&b', '?x=ä%C3%A4'])(
    'passes the query on untouched: %s',
    async (query) => {
      const { port } = new URL(gateway.url);
      const status = await new Promise((resolve, reject) => {
        const headers = { authorization: `Bearer ${token}` };
        httpRequest({ port, path: `/customers${encodeURI(query).replaceAll('%25', '%')}`, headers }, (response) => {
          response.resume().on('end', () => resolve(response.statusCode));
        })
          .on('error', reject)
          .end();
      });
      expect(status).toBe(200);
      expect(fakes.seen[0]!.url).toBe(`/customers${encodeURI(query).replaceAll('%25', '%')}`);
    },
  );

  /** Sent as it stands, which `fetch` would not do. */
  const sendAsIs = (path: string, headers: Record<string, string> = {}): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const { port } = new URL(gateway.url);
      httpRequest({ port, path, headers: { authorization: `Bearer ${token}`, ...headers } }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode));
      })
        .on('error', reject)
        .end();
    });

  it.each([
    '/customers/x\\..\\..\\internal\\metrics',
    '/public/offers/x\\..\\..\\..\\internal\\metrics',
    '/customers/\\internal',
    '/customers/.',
    '/customers/%2E%2e',
    '/customers/.%2e',
    '/customers/a#b',
  ])('leads nowhere where a URL would be read as another one: %s', async (path) => {
    expect(await sendAsIs(path)).toBe(404);
    expect(fakes.seen).toEqual([]);
  });

  it('passes on what belongs to the request, not to the connection, and its own headers whatever is said of them', async () => {
    const ofConnection = { 'keep-alive': 'timeout=5', upgrade: 'h2c', 'http2-settings': 'AAMA', te: 'trailers' };
    expect(await sendAsIs('/customers', { ...ofConnection, 'x-mine': '1' })).toBe(200);
    const connection = `x-kontor-principal, X-Forwarded-For,x-request-id , x-hop`;
    expect(await sendAsIs('/customers', { connection, 'x-hop': '1', 'x-mine': '2' })).toBe(200);
    const [first, second] = fakes.seen.map(({ headers }) => headers);
    for (const name of Object.keys(ofConnection)) expect(first).not.toHaveProperty(name);
    expect(first).toMatchObject({ 'x-mine': '1' });
    expect(second).not.toHaveProperty('x-hop');
    expect(second).toMatchObject({ 'x-mine': '2', 'x-forwarded-for': '127.0.0.1' });
    expect(fakes.seen[1]!.principal).toEqual(principal);
  });

  it('is open to other origins, tokens being no cookies', async () => {
    const preflight = await send('OPTIONS', '/customers', {
      as: null,
      headers: { origin: 'https://shop.example', 'access-control-request-method': 'POST' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    expect((await send('GET', '/customers')).headers.get('access-control-allow-origin')).toBe('*');
  });

  it('lets no browser guess what it answers', async () => {
    for (const path of ['/customers', '/nothing', '/openapi.json'])
      expect((await send('GET', path)).headers.get('x-content-type-options')).toBe('nosniff');
  });
});

describe('tokens', () => {
  it.each([
    ['none', null],
    ['an unknown one', newBearerSecret('api_')],
    ['a short one', 'x'],
  ])('%s: 401', async (_what, as) => {
    const answer = await send('POST', '/customers', { as, body: '{}' });
    expectProblem(answer, 401, 'unauthenticated');
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect(fakes.seen).toHaveLength(0);
  });

  it('are believed for less than a second, and asked for once meanwhile', async () => {
    const before = fakes.verifications;
    let all = (): void => undefined;
    const arrived = new Promise<void>((resolve) => (all = resolve));
    let count = 0;
    const onRequest = (event: unknown): void => {
      if ((event as { request: IncomingMessage }).request.url === '/customers' && ++count === 20) all();
    };
    subscribe('http.server.request.start', onRequest);
    // Identity answers when all of them wait for it.
    fakes.beforeVerification = () => arrived;
    await Promise.all(Array.from({ length: 20 }, () => send('GET', '/customers')));
    unsubscribe('http.server.request.start', onRequest);
    fakes.beforeVerification = undefined;
    expect(fakes.verifications).toBe(before + 1);
    fakes.known.delete(token);
    const answer = await eventually(async () => {
      const latest = await send('GET', '/customers');
      return latest.status !== 200 && latest;
    });
    expectProblem(answer, 401, 'unauthenticated');
  });

  it('that are ended while a body arrives: nothing is done for them', async () => {
    expect((await send('GET', '/customers')).status).toBe(200);
    fakes.seen.length = 0;
    const { port } = new URL(gateway.url);
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'content-length': 2 };
    const slow = httpRequest({ port, host: '127.0.0.1', method: 'POST', path: '/customers', headers });
    const answered = new Promise((resolve, reject) => {
      slow.on('response', ({ statusCode }) => resolve(statusCode)).on('error', reject);
    });
    slow.write('{');
    await sleep(200);
    fakes.known.delete(token);
    await eventually(async () => (await send('GET', '/customers')).status === 401);
    slow.end('}');
    expect(await answered).toBe(401);
    expect(fakes.seen.filter(({ method }) => method === 'POST')).toEqual([]);
  });

  it('that were ended a moment ago change nothing of who may do what', async () => {
    expect((await send('POST', '/api-keys', { body: '{}' })).status).toBe(201);
    fakes.known.delete(token);
    expectProblem(await send('POST', '/api-keys', { body: '{}' }), 401, 'unauthenticated');
    expect(fakes.seen.filter(({ url }) => url === '/api-keys')).toHaveLength(1);
  });

  it('bring no body that is passed on before all of it is there, where they change who may do what', async () => {
    const body = JSON.stringify({ name: 'x' }).padEnd(300 * 1024);
    expectProblem(await send('POST', '/api-keys', { body }), 413, 'payload_too_large');
    expect((await send('POST', '/customers', { body })).status).toBe(201);
    expect(fakes.seen.map(({ url }) => url)).toEqual(['/customers']);
  });

  it('are not needed for public operations, and a bad one does no harm there', async () => {
    expect((await send('GET', '/public/offers/abc', { as: null })).status).toBe(200);
    expect((await send('GET', '/public/offers/abc', { as: newBearerSecret('api_') })).status).toBe(200);
    expect(fakes.seen[1]!.principal).toBeUndefined();
  });
});

describe('a tenant that asks for more than can be done', () => {
  it('is refused what is too much, and the others are served in turn with it', async () => {
    const busy = await start(GENEROUS, undefined, undefined, undefined, Infinity);
    const modest = newBearerSecret('api_');
    const other = apiKeyPrincipal(newUuid());
    fakes.known.set(modest, { principal: other, mode: 'live' });
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    let held = 0;
    fakes.hold = () => (held++, opened);
    const refused: Answer[] = [];
    const flood = Array.from({ length: 48 + 512 + 40 }, async () => {
      const answer = await send('GET', '/customers', { base: busy.url });
      if (answer.status !== 200) refused.push(answer);
      return answer.status;
    });
    await eventually(async () => held === 48 && refused.length === 40);
    for (const answer of refused) {
      expectProblem(answer, 503, 'service_overloaded');
      expect(answer.headers.get('retry-after')).toBe('1');
    }
    const others = Array.from({ length: 24 }, () => send('GET', '/customers', { base: busy.url, as: modest }));
    await eventually(async () => held === 64);
    open();
    expect(new Set((await Promise.all(others)).map(({ status }) => status))).toEqual(new Set([200]));
    const statuses = await Promise.all(flood);
    expect(statuses.filter((status) => status === 200)).toHaveLength(48 + 512);
    const last = fakes.seen.findLastIndex((seen) => seen.principal?.tenantId === other.tenantId);
    // 64 were under way; eight of the others waited behind 512.
    expect(last).toBeLessThan(64 + 64);
    fakes.hold = undefined;
    await busy.stop();
  });

  it('is asked for less at a time where requests wait in the service', async () => {
    const busy = await start(GENEROUS, undefined, undefined, undefined, Infinity);
    fakes.answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'x-kontor-waited': '400' }).end('{}');
      return true;
    };
    // Each falls by a fifth: from 64 to the least, 32, of which a tenant has three quarters.
    for (let window = 0; window < 8; window++) {
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => send('GET', '/customers', { base: busy.url })),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      await sleep(120);
    }
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    let [held, peak] = [0, 0];
    fakes.hold = async () => {
      peak = Math.max(peak, ++held);
      await opened;
      held--;
    };
    const asked = Array.from({ length: 40 }, () => send('GET', '/customers', { base: busy.url }));
    await eventually(async () => held === 24);
    fakes.answer = undefined;
    open();
    expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set([200]));
    expect(peak).toBe(24);
    fakes.hold = undefined;
    await busy.stop();
  });

  it('takes no place any more when its client has gone while waiting', async () => {
    const busy = await start(GENEROUS, undefined, undefined, undefined, Infinity);
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    let held = 0;
    fakes.hold = () => (held++, opened);
    const first = Array.from({ length: 48 }, () => send('GET', '/customers', { base: busy.url }));
    await eventually(async () => held === 48);
    const gone = new AbortController();
    const waiting = Array.from({ length: 100 }, () =>
      fetch(`${busy.url}/customers`, { signal: gone.signal, headers: { authorization: `Bearer ${token}` } }).catch(
        () => undefined,
      ),
    );
    await sleep(300);
    gone.abort();
    await Promise.all(waiting);
    open();
    await Promise.all(first);
    fakes.hold = undefined;
    const after = await Promise.all(Array.from({ length: 100 }, () => send('GET', '/customers', { base: busy.url })));
    expect(new Set(after.map(({ status }) => status))).toEqual(new Set([200]));
    await busy.stop();
  });
});

describe('tokens that nobody knows', () => {
  it('are refused without asking identity when they were not made here', async () => {
    const before = fakes.verifications;
    const real = newBearerSecret('api_');
    for (const as of [
      'api_made-up-by-somebody',
      `api_${'x'.repeat(50)}`,
      `${real}x`,
      real.slice(0, -1),
      real.replace('api_', 'cus_'),
    ])
      expectProblem(await send('GET', '/customers', { as }), 401, 'unauthenticated');
    expect(fakes.verifications).toBe(before);
  });

  it('are asked for once', async () => {
    const before = fakes.verifications;
    const as = newBearerSecret('api_');
    for (let n = 0; n < 5; n++) expectProblem(await send('GET', '/customers', { as }), 401, 'unauthenticated');
    expect(fakes.verifications).toBe(before + 1);
  });

  it('do not starve a valid one: they are limited by address and get half of the questions', async () => {
    const flooded = await start({ ...GENEROUS, anonymous: 200 });
    const valid = () => send('GET', '/customers', { base: flooded.url });
    expect((await valid()).status).toBe(200);
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    let held = 0;
    let asked = 0;
    fakes.holdVerification = async (of) => {
      if (of === token) return void asked++;
      held++;
      await answered;
    };
    let limited = 0;
    const flood = Array.from({ length: 500 }, async () => {
      const refused = await send('GET', '/customers', { base: flooded.url, as: newBearerSecret('api_') });
      if (refused.status === 429) limited += Number(refused.headers.get('retry-after')) > 0 ? 1 : 0;
      return refused.status;
    });
    await eventually(async () => held === 32 && limited === 300);
    // Until identity has been asked for it anew, beside them.
    await eventually(async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, valid));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      return asked > 0;
    });
    answer();
    const statuses = await Promise.all(flood);
    fakes.holdVerification = undefined;
    // 503: of whom identity said nothing for too long.
    expect(statuses.filter((status) => status === 401 || status === 503)).toHaveLength(200);
    expect(statuses.filter((status) => status === 429)).toHaveLength(300);
    await flooded.stop();
  });
});

describe('requests without a token', () => {
  it('hold at most half of the connections, and a caller who is known gets through', async () => {
    const release: (() => void)[] = [];
    fakes.hold = (request) =>
      request.headers[INTERNAL_TOKEN_HEADER] === undefined
        ? new Promise<void>((resolve) => release.push(resolve))
        : Promise.resolve();
    let refused = 0;
    const strangers = Array.from({ length: 300 }, async () => {
      const answer = await send('GET', '/public/offers/abc', { as: null });
      if (answer.status === 503) refused += 1;
      return answer;
    });
    await eventually(() => release.length === 32 && refused === 12);
    expect((await send('GET', '/public/offers/abc', { as: token })).status).toBe(200);
    expect(release).toHaveLength(32);
    fakes.hold = undefined;
    for (const free of release) free();
    const statuses = (await Promise.all(strangers)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(288);
    expect(statuses.filter((status) => status === 503)).toHaveLength(12);
  });

  it.each([
    ['POST', '/oauth2/token'],
    ['GET', '/oauth2/auth?client_id=app'],
    ['POST', '/public/users/sign-in'],
  ])(
    'take turns by address: a flood of %s %s keeps no app and no person waiting for all of it',
    async (method, path) => {
      const door = await start(GENEROUS, undefined, undefined, undefined, undefined, 1);
      const body = method === 'POST' ? { body: '{}' } : {};
      const from = (address: string): Promise<Answer> =>
        send(method, path, { base: door.url, as: null, ...body, headers: { 'x-forwarded-for': address } });
      const release: (() => void)[] = [];
      const arrived: string[] = [];
      fakes.hold = (request) => {
        arrived.push(String(request.headers['x-forwarded-for']));
        return new Promise<void>((resolve) => release.push(resolve));
      };
      // Whoever has one address of IPv6 has 2^64 of them.
      const answers: Promise<Answer>[] = [];
      let refused = 0;
      for (let n = 0; n < 300; n++) {
        const answer = from(`2001:db8::${(n + 1).toString(16)}`);
        void answer.then(({ status }) => void (refused += status === 503 ? 1 : 0));
        answers.push(answer);
      }
      await eventually(() => arrived.length === 32 && refused === 12);
      const valid = from('192.0.2.9');
      // One of those that waited gives way to it.
      await eventually(() => refused === 13);
      for (let n = 0; n < 2; n++) {
        release.shift()!();
        await eventually(() => arrived.length === 33 + n);
      }
      expect(arrived).toContain('192.0.2.9');
      fakes.hold = undefined;
      for (const free of release) free();
      expect((await valid).status).not.toBe(503);
      const statuses = (await Promise.all(answers)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 503)).toHaveLength(13);
      await door.stop();
    },
  );
});

describe('behind proxies', () => {
  it.each([
    [1, '192.0.2.9'],
    [2, '198.51.100.7'],
  ])('%d of them say where a request comes from, and not the client', async (proxies, address) => {
    const door = await start(GENEROUS, undefined, undefined, undefined, undefined, proxies);
    const headers = { 'x-forwarded-for': '203.0.113.1, 198.51.100.7, 192.0.2.9' };
    expect((await send('GET', '/customers', { base: door.url, headers })).status).toBe(200);
    expect(fakes.seen[0]!.headers['x-forwarded-for']).toBe(address);
    await door.stop();
  });

  it('a large body may have a large answer', async () => {
    const door = await start(GENEROUS, undefined, undefined, undefined, undefined, 1);
    fakes.answer = (_request, response) => {
      response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify('y'.repeat(MIB)));
      return true;
    };
    const answer = await send('POST', '/customers', { base: door.url, body: 'x'.repeat(4 * MIB) });
    expect([answer.status, answer.body.length]).toEqual([201, MIB]);
    await door.stop();
  });
});

describe('connections', () => {
  it('whose body drips end with 408', async () => {
    const strict = await start(GENEROUS, undefined, undefined, 200);
    const answer = await new Promise<string>((resolve) => {
      let got = '';
      const socket = connect(Number(new URL(strict.url).port), '127.0.0.1').setEncoding('utf8');
      socket.write(
        `POST /customers HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Length: 900\r\n\r\n`,
      );
      const drip = setInterval(() => socket.write(' '), 20);
      socket.on('data', (chunk: string) => (got += chunk)).on('error', () => undefined);
      socket.on('close', () => {
        clearInterval(drip);
        resolve(got);
      });
    });
    expect(answer).toMatch(/^HTTP\/1.1 408 .*request_timeout/s);
    expect(fakes.seen).toHaveLength(0);
    await strict.stop();
  });

  it('of one address are limited', async () => {
    const narrow = await start(GENEROUS, undefined, 3);
    const { port } = new URL(narrow.url);
    const open = await Promise.all(
      Array.from(
        { length: 3 },
        () =>
          new Promise<ReturnType<typeof connect>>((resolve) => {
            const socket = connect(Number(port), '127.0.0.1', () => resolve(socket));
          }),
      ),
    );
    const answer = await new Promise<string>((resolve, reject) => {
      let got = '';
      const socket = connect(Number(port), '127.0.0.1').setEncoding('utf8');
      socket.on('data', (chunk: string) => (got += chunk)).on('close', () => resolve(got));
      socket.on('error', reject);
    });
    expect(answer).toMatch(/^HTTP\/1.1 429 .*rate_limited/s);
    const closed = new Promise((resolve) => open[0]!.once('close', resolve));
    open[0]!.destroy();
    await closed;
    // The gateway hears of it a little later.
    await eventually(async () => {
      const { status } = await send('GET', '/customers', { base: narrow.url }).catch(() => ({ status: 429 }));
      expect([200, 429]).toContain(status);
      return status === 200;
    });
    for (const socket of open) socket.destroy();
    await narrow.stop();
  });
});

describe('bodies', () => {
  it('pass through, large ones too, announced or not', async () => {
    expect((await send('POST', '/customers', { body: 'x'.repeat(4 * MIB) })).body.bytes).toBe(4 * MIB);
    expect((await send('POST', '/customers', { body: someBytes(3 * MIB) })).body.bytes).toBe(3 * MIB);
    expect((await send('POST', '/customers', { body: someBytes(10) })).body.bytes).toBe(10);
    expect((await send('POST', '/api/usage-events', { body: 'x'.repeat(9 * MIB) })).body.bytes).toBe(9 * MIB);
    expect(
      (
        await send('POST', `/api/invoices/${newUuid()}/pdf`, {
          body: 'x'.repeat(15 * MIB),
          headers: { 'content-type': 'multipart/form-data; boundary=x' },
        })
      ).body.bytes,
    ).toBe(15 * MIB);
  });

  it('a file of events has no limit, announced or not, and no body is kept on its way', async () => {
    const csv = { headers: { 'content-type': 'text/csv' } };
    expect((await send('POST', '/api/usage-events/import', { ...csv, body: 'x'.repeat(25 * MIB) })).body.bytes).toBe(
      25 * MIB,
    );
    // As long as the service reads nothing, only so much is read from the client as the kernel holds for the two connections.
    const held = 2 * (mostBuffered('rmem') + mostBuffered('wmem')) + 8 * MIB;
    let pulled = 0;
    const counted = (async function* () {
      for await (const chunk of someBytes(2 * held)) {
        pulled += chunk.length;
        yield chunk;
      }
    })();
    let read = (): void => undefined;
    fakes.early = (request, response) =>
      void (read = () => void request.resume().on('end', () => response.writeHead(201).end()));
    const sending = send('POST', '/api/usage-events/import?id=x', { ...csv, body: counted });
    await eventually(async () => {
      const until = pulled;
      await sleep(500);
      return until > 0 && pulled === until;
    });
    expect(pulled).toBeLessThan(held);
    read();
    expect((await sending).status).toBe(201);
    expect(pulled).toBe(2 * held);
    fakes.early = undefined;
  });

  it('a file that is refused while it is being sent gets its answer', async () => {
    fakes.early = (_request, response) =>
      void response.writeHead(422, { 'content-type': 'application/problem+json' }).end('{"status":422}');
    const answer = await send('POST', '/api/usage-events/import', {
      body: 'x'.repeat(30 * MIB),
      headers: { 'content-type': 'text/csv' },
    });
    fakes.early = undefined;
    expect(answer.status).toBe(422);
    expect((await send('POST', '/api/usage-events', { body: '{}' })).status).toBe(201);
  });

  it('a client that is still writing a body that is too large gets to see why', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        send('POST', '/customers', { body: 'x'.repeat(30 * MIB) }).then(({ status }) => status, String),
      ),
    );
    expect(answers).toEqual(Array(8).fill(413));
  });

  it.each([
    ['/customers', 5, 'application/json'],
    ['/api/usage-events', 10, 'application/json'],
    [`/api/invoices/${newUuid()}/pdf`, 20, 'multipart/form-data; boundary=x'],
  ])('%s accepts %i MiB, not more', async (path, mib, type) => {
    const url = new URL(gateway.url + path);
    // Announced: refused before a byte is read.
    const announced = await new Promise<number>((resolve, reject) => {
      const request = httpRequest(
        url,
        {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': type, 'content-length': mib * MIB + 1 },
        },
        (answer) => resolve(answer.statusCode ?? 0),
      );
      request.on('error', reject).flushHeaders();
    });
    expect(announced).toBe(413);
    // Not announced: refused as soon as it is too much. The client may still be writing then.
    const streamed = await send('POST', path, {
      body: someBytes(mib * MIB + 100_000),
      headers: { 'content-type': type },
    }).then(
      (answer) => answer.status,
      () => 413,
    );
    expect(streamed).toBe(413);
  });
});

describe('limits', () => {
  let limited: RunningGateway;
  beforeAll(async () => void (limited = await start(LIMITS)));
  afterAll(() => limited.stop());

  const until429 = async (path: string, method: string): Promise<number> => {
    for (let n = 0; ; n++) {
      const answer = await send(method, path, { base: limited.url, ...(method === 'POST' ? { body: '{}' } : {}) });
      if (answer.status === 429) {
        expectProblem(answer, 429, 'rate_limited');
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
        expect(answer.headers.get('ratelimit-remaining')).toBe('0');
        return n;
      }
      expect(answer.headers.get('ratelimit-remaining')).toBe(
        String(Number(answer.headers.get('ratelimit-limit')) - n - 1),
      );
      expect(Number(answer.headers.get('ratelimit-reset'))).toBeGreaterThan(0);
    }
  };

  it.each([
    ['live', '/customers', 'GET', LIMITS.live],
    ['live', '/api/usage-events', 'POST', LIMITS.liveUsage],
    ['sandbox', '/customers', 'GET', LIMITS.sandbox],
    ['sandbox', '/api/usage-events', 'POST', LIMITS.sandboxUsage],
  ] as const)('a %s token, %s', async (mode, path, method, expected) => {
    fakes.known.set(token, { principal, mode });
    expect(await until429(path, method)).toBe(expected);
  });

  it('ask nobody to wait for longer than a minute when the clock is set back', async () => {
    await until429('/customers', 'GET');
    const real = Date.now;
    try {
      Date.now = () => real() - 3_600_000;
      const { status, headers } = await send('GET', '/customers', { base: limited.url });
      expect([status, headers.get('retry-after'), headers.get('ratelimit-reset')]).toEqual([429, '60', '60']);
    } finally {
      Date.now = real;
    }
  });

  it('count each token by itself, and usage apart from all else', async () => {
    expect(await until429('/customers', 'GET')).toBe(LIMITS.live);
    expect((await send('POST', '/api/usage-events', { base: limited.url, body: '{}' })).status).toBe(201);
    const other = newBearerSecret('api_');
    fakes.known.set(other, { principal, mode: 'live' });
    expect((await send('GET', '/customers', { base: limited.url, as: other })).status).toBe(200);
  });

  it('of sign-ins to apps count each by itself, and all of an address together', async () => {
    const step = async (uid: string): Promise<number> =>
      (await send('POST', `/oauth2/interaction/${uid}`, { base: limited.url, body: '{}', as: null })).status;
    // One step is what one sign-in may have here, two are what an address may have.
    expect([await step('a'), await step('a'), await step('b'), await step('c')]).toEqual([201, 429, 201, 429]);
    const written = await start({ ...LIMITS, signIns: 1_000 });
    const other = async (uid: string): Promise<number> =>
      (await send('POST', `/oauth2/interaction/${uid}`, { base: written.url, body: '{}', as: null })).status;
    // An id that is written in another way is no other sign-in.
    expect([await other('%61b'), await other('a%62'), await other('%61%62')]).toEqual([201, 429, 429]);
    await written.stop();
    // Steps of sign-ins are no requests of anybody else.
    expect((await send('GET', '/public/offers/x', { base: limited.url, as: null })).status).not.toBe(429);
  });

  it('of logins count whatever has a mail sent to an address that a stranger enters', async () => {
    const narrow = await start({ ...LIMITS, anonymous: 1_000 });
    const post = async (path: string): Promise<number> =>
      (await send('POST', path, { base: narrow.url, body: '{}', as: null })).status;
    expect(await post('/public/cancellation/x')).toBe(201);
    expect([await post('/public/cancellation/x'), await post('/public/users/sign-in')]).toEqual([429, 429]);
    // Who sends a form in a browser sees that on a page.
    const page = await fetch(`${narrow.url}/public/cancellation/x`, {
      method: 'POST',
      headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'accept-language': 'de-DE' },
    });
    expect([page.status, page.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8']);
    expect(page.headers.get('retry-after')).not.toBeNull();
    expect(await page.text()).toContain('<h1>Zu viele Anfragen</h1>');
    // A company's provider reports the logouts of all its people from one address.
    for (let n = 0; n < 20; n++) expect(await post('/public/account/company/x/logout')).toBe(201);
    await narrow.stop();
  });

  it('count call-backs of payment providers apart from what strangers ask', async () => {
    const narrow = await start(LIMITS);
    const ask = async (method: string, path: string): Promise<number> =>
      (await send(method, path, { base: narrow.url, as: null, ...(method === 'GET' ? {} : { body: '{}' }) })).status;
    const callback = (): Promise<number> => ask('POST', '/public/payment/callbacks/card_provider');
    for (let n = 0; n < LIMITS.callbacks; n++) expect(await callback()).not.toBe(429);
    expect(await callback()).toBe(429);
    expect(await ask('GET', '/public/offers/x')).not.toBe(429);
    await narrow.stop();
  });

  it.each([
    ['PUT', '/public/checkout/cart/x/confirm'],
    ['POST', '/public/checkout/carts/x'],
  ] as const)('count orders without a token, %s %s; looking and changing do not', async (method, path) => {
    const narrow = await start({ ...LIMITS, anonymous: 1_000 });
    const status = async (by: string, to: string, as?: null): Promise<number> =>
      (
        await send(by, to, {
          base: narrow.url,
          ...(by === 'GET' ? {} : { body: '{}' }),
          ...(as === null ? { as } : {}),
        })
      ).status;
    expect(await status(method, path, null)).not.toBe(429);
    expect(await status(method, path, null)).toBe(429);
    expect(await status('GET', '/public/checkout/cart/x', null)).not.toBe(429);
    expect(await status('PUT', '/public/checkout/cart/x/coupon', null)).not.toBe(429);
    // Who has a token is counted by it.
    expect(await status(method, path)).not.toBe(429);
    await narrow.stop();
  });

  it('hold without Redis, when it is away from the start', async () => {
    const lonely = await start(LIMITS, 'redis://127.0.0.1:1');
    for (let n = 0; n < LIMITS.live; n++)
      expect((await send('GET', '/customers', { base: lonely.url })).status).toBe(200);
    expect((await send('GET', '/customers', { base: lonely.url })).status).toBe(429);
    await lonely.stop();
  });
});

describe('services that are away', () => {
  it('another replica is asked, whatever the method', async () => {
    const second = await fakes.add('billing');
    await fakes.close(second);
    for (let n = 0; n < 6; n++) expect((await send('POST', '/customers', { body: '{}' })).status).toBe(201);
    expect(fakes.seen).toHaveLength(6);
    fakes.directory.set('billing', fakes.directory.all('billing')[0]!);
  });

  it('tokens are checked by the replica of identity that is left, whatever becomes of the other', async () => {
    const [only] = fakes.directory.all('identity');
    const dying = createServer((request) => request.socket.resetAndDestroy());
    await new Promise<void>((resolve) => dying.listen(0, '127.0.0.1', resolve));
    fakes.directory.set('identity', only!, `http://127.0.0.1:${(dying.address() as AddressInfo).port}`);
    const askAsSomeoneNew = async (): Promise<number> => {
      const as = newBearerSecret('api_');
      fakes.known.set(as, { principal, mode: 'live' });
      return (await send('GET', '/customers', { as })).status;
    };
    try {
      for (let n = 0; n < 4; n++) expect(await askAsSomeoneNew()).toBe(200);
      await fakes.close(dying);
      for (let n = 0; n < 4; n++) expect(await askAsSomeoneNew()).toBe(200);
    } finally {
      fakes.directory.set('identity', only!);
    }
  });

  it('a replica that stands still keeps what it was asked, and is asked nothing else', async () => {
    const [only] = fakes.directory.all('billing');
    let stuck = 0;
    const still = createServer(() => void stuck++);
    await new Promise<void>((resolve) => still.listen(0, '127.0.0.1', resolve));
    fakes.directory.set('billing', only!, `http://127.0.0.1:${(still.address() as AddressInfo).port}`);
    try {
      const statuses: number[] = [];
      const first = Array.from({ length: 2 }, () =>
        send('GET', '/customers').then((answer) => void statuses.push(answer.status)),
      );
      await eventually(() => stuck === 1 && statuses.length === 1, 'one request each');
      for (let n = 0; n < 6; n++) expect((await send('GET', '/customers')).status).toBe(200);
      expect(stuck).toBe(1);
      still.closeAllConnections();
      await Promise.all(first);
      expect(statuses).toEqual([200, 503]);
    } finally {
      fakes.directory.set('billing', only!);
      await fakes.close(still);
    }
  });

  it('a service is as its best replica is: the others are asked in place of one that is gone', async () => {
    const [only] = fakes.directory.all('billing');
    await fakes.close(await fakes.add('billing'));
    try {
      for (let n = 0; n < 4; n++) {
        const { status, body } = await send('GET', '/health', { as: null });
        expect({ status, billing: body.services.billing }).toEqual({ status: 200, billing: 'degraded' });
      }
    } finally {
      fakes.directory.set('billing', only!);
    }
  });

  it('one that is named twice is asked once, and its absence is 503', async () => {
    await fakes.close(await fakes.add('billing'));
    const [only, gone] = fakes.directory.all('billing');
    fakes.directory.set('billing', gone!, gone!);
    try {
      expectProblem(await send('POST', '/customers', { body: '{}' }), 503, 'service_unavailable');
    } finally {
      fakes.directory.set('billing', only!);
    }
    expect((await send('GET', '/customers')).status).toBe(200);
  });

  it('what reached a service is never sent again', async () => {
    let asked = 0;
    fakes.answer = (_request, response) => {
      asked++;
      response.destroy();
      return true;
    };
    expectProblem(await send('POST', '/customers', { body: '{}' }), 503, 'service_unavailable');
    expectProblem(await send('GET', '/customers'), 503, 'service_unavailable');
    expect(asked).toBe(2);
  });

  it('503, also with a body on its way, and the connection goes on', async () => {
    const otherFakes = await FakeServices.start();
    const lonely = await startGateway({
      host: '127.0.0.1',
      port: 0,
      services: otherFakes.directory,
      internalSecret: SECRET,
      rateLimits: GENEROUS,
      logLevel: 'silent',
    });
    await lonely.ready();
    otherFakes.known.set(token, { principal, mode: 'live' });
    await otherFakes.down('billing');
    expectProblem(await send('POST', '/customers', { base: lonely.url, body: '{}' }), 503, 'service_unavailable');
    const large = await send('POST', '/customers', { base: lonely.url, body: 'x'.repeat(2 * MIB) }).then(
      (answer) => answer.status,
      () => 503,
    );
    expect(large).toBe(503);
    expect((await send('GET', '/public/offers/abc', { base: lonely.url })).status).toBe(200);
    const health = await send('GET', '/health', { base: lonely.url, as: null });
    expect(health.status).toBe(503);
    expect(health.body.services).toMatchObject({ billing: 'unreachable', usage: 'ready' });
    await otherFakes.down('identity');
    expectProblem(
      await send('GET', '/customers', { base: lonely.url, as: newBearerSecret('api_') }),
      503,
      'service_unavailable',
    );
    await lonely.stop();
    await otherFakes.stop();
  });
});

describe('pages', () => {
  it("/health is 200 with each one's state", async () => {
    const { status, body } = await send('GET', '/health', { as: null });
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'ready', services: { identity: 'ready', notifications: 'ready' } });
  });

  it('/health names what a service cannot do, and is 503 only where requests are not answered', async () => {
    const said = async (): Promise<unknown[]> => {
      const { status, body } = await send('GET', '/health', { as: null });
      return [status, body.status, body.services.billing, body.services.usage];
    };
    const degraded = { status: 200, body: { status: 'degraded', checks: { storage: 'ok', events: 'waiting' } } };
    fakes.health.set('billing', degraded);
    expect(await said()).toEqual([200, 'degraded', 'degraded', 'ready']);
    fakes.health.set('usage', { status: 200, body: { status: 'up', checks: { storage: 'full' } } });
    expect(await said()).toEqual([200, 'read_only', 'degraded', 'read_only']);
    fakes.health.set('usage', { status: 200, body: { status: 'degraded', checks: { database: 'read_only' } } });
    expect(await said()).toEqual([200, 'read_only', 'degraded', 'read_only']);
    fakes.health.set('usage', { status: 503, body: { status: 'down', checks: { database: 'down' } } });
    expect(await said()).toEqual([503, 'unavailable', 'degraded', 'not_ready']);
    fakes.health.clear();
    expect(await said()).toEqual([200, 'ready', 'ready', 'ready']);
  });

  it('/health looks at every replica: one is enough to answer, and one that is away shows', async () => {
    const others = await FakeServices.start();
    const second = await others.add('billing');
    const beside = await startGateway({
      host: '127.0.0.1',
      port: 0,
      services: others.directory,
      internalSecret: SECRET,
      rateLimits: GENEROUS,
      logLevel: 'silent',
    });
    await beside.ready();
    const said = async (): Promise<unknown[]> => {
      const { status, body } = await send('GET', '/health', { as: null, base: beside.url });
      return [status, body.status, body.services.billing];
    };
    expect(await said()).toEqual([200, 'ready', 'ready']);
    await others.close(second);
    for (let n = 0; n < 4; n++) expect(await said()).toEqual([200, 'degraded', 'degraded']);
    await others.down('billing');
    expect(await said()).toEqual([503, 'unavailable', 'unreachable']);
    await beside.stop();
    await others.stop();
  });

  it('/health is 503 at a gateway whose secret is another one, which calls no good token unknown', async () => {
    const stranger = await startGateway({
      host: '127.0.0.1',
      port: 0,
      services: fakes.directory,
      internalSecret: 'another',
      rateLimits: GENEROUS,
      logLevel: 'silent',
    });
    await stranger.ready();
    const health = await send('GET', '/health', { as: null, base: stranger.url });
    expect([health.status, health.body.status, health.body.services.identity]).toEqual([
      503,
      'unavailable',
      'not_ready',
    ]);
    for (let n = 0; n < 2; n++) {
      const answer = await send('GET', '/customers', { base: stranger.url });
      expectProblem(answer, 503, 'service_unavailable');
      expect(answer.headers.get('retry-after')).not.toBeNull();
    }
    await stranger.stop();
  });

  it('/health asks the services once for all who ask at the same time', async () => {
    fakes.healthChecks = 0;
    let answer = (): void => undefined;
    fakes.holdHealth = new Promise((resolve) => (answer = resolve));
    const asked = Array.from({ length: 50 }, () => send('GET', '/health', { as: null }));
    await eventually(() => fakes.healthChecks >= 8);
    await sleep(200);
    answer();
    expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set([200]));
    expect(fakes.healthChecks).toBeLessThan(50 * 8);
    fakes.holdHealth = undefined;
  });

  it('opened by a link do not show that in the log', async () => {
    const lines: string[] = [];
    const logging = await startGateway({
      host: '127.0.0.1',
      port: 0,
      services: fakes.directory,
      internalSecret: SECRET,
      rateLimits: GENEROUS,
      logLevel: 'info',
      logStream: { write: (line) => void lines.push(line) },
    });
    await logging.ready();
    const link = 'kJ0n7hQ0yq9m2m0m5n1w7y';
    expect((await send('GET', `/public/offers/${link}`, { as: null, base: logging.url })).status).toBe(200);
    await eventually(() => lines.some((line) => line.includes('/public/offers/kJ0n…')));
    expect(lines.join('')).not.toContain(link);
    await logging.stop();
  });

  it('are limited by address, but for /health', async () => {
    const narrow = await start(LIMITS);
    const get = (path: string): Promise<Answer> => send('GET', path, { as: null, base: narrow.url });
    for (let n = 0; n < LIMITS.anonymous; n++) expect((await get('/openapi.json')).status).toBe(200);
    for (const path of ['/openapi.json', '/asyncapi.json', '/docs'])
      expectProblem(await get(path), 429, 'rate_limited');
    expect((await get('/health')).status).toBe(200);
    await narrow.stop();
  });

  it('/openapi.json is one document of all services', async () => {
    const { body } = await send('GET', '/openapi.json', { as: null });
    expect(body.openapi).toMatch(/^3\.1/);
    expect(body.info.version).toBe('0.0.0');
    expect(body.paths['/customers'].post['x-permission']).toBe('customer:write');
    expect(body.paths['/api/usage-events']).toBeDefined();
  });

  it('leads a browser to the documentation, and a program nowhere', async () => {
    const browser = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }, redirect: 'manual' } as const;
    const answer = await fetch(`${gateway.url}/`, browser);
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/docs']);
    expectProblem(await send('GET', '/', { as: null }), 404, 'not_found');
  });

  it('/docs and its files come from here', async () => {
    const page = await send('GET', '/docs', { as: null });
    expect(page.body).toContain('/openapi.json');
    const files = [...String(page.body).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => file!);
    expect(files.length).toBeGreaterThan(1);
    for (const file of files) expect((await send('GET', file, { as: null })).status).toBe(200);
  });

  it('/asyncapi.json has the events', async () => {
    const { body } = await send('GET', '/asyncapi.json', { as: null });
    expect(body.asyncapi).toMatch(/^3\./);
    expect(JSON.stringify(body)).toContain('invoicing.invoice');
  });
});
