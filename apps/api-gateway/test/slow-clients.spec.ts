import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { newBearerSecret } from '@kontor/service-kit';
import { apiKeyPrincipal, eventually } from '@kontor/testing';
import { type RunningGateway, startGateway } from '../src/index.js';
import { FakeServices, SECRET } from './fake-services.js';

const KIB = 1024;
const PACE_MS = 2_000;
const MANY = 1_000_000;

let fakes: FakeServices;
let gateway: RunningGateway;
let slow: Socket[];

beforeAll(async () => {
  fakes = await FakeServices.start();
  const perMinute = { live: MANY, liveUsage: MANY, sandbox: MANY, sandboxUsage: MANY };
  gateway = await startGateway({
    host: '127.0.0.1',
    port: 0,
    services: fakes.directory,
    internalSecret: SECRET,
    rateLimits: { ...perMinute, anonymous: MANY, logins: MANY, signIns: MANY, orders: MANY, callbacks: MANY },
    paceIntervalMs: PACE_MS,
    logLevel: 'silent',
  });
  await gateway.ready();
});
afterAll(async () => {
  await gateway.stop();
  await fakes.stop();
});
beforeEach(() => {
  slow = [];
  fakes.seen.length = 0;
});
afterEach(() => {
  for (const socket of slow) socket.destroy();
  fakes.answer = fakes.hold = undefined;
});

function newTenant(): string {
  const token = newBearerSecret('api_');
  fakes.known.set(token, { principal: apiKeyPrincipal(newUuid()), mode: 'live' });
  return token;
}

/** A connection on which a text was sent, and whatever comes back of it. */
function open(text: string): Promise<{ socket: Socket; got: () => string }> {
  return new Promise((resolve) => {
    let got = '';
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1').setEncoding('utf8');
    slow.push(socket);
    socket.on('data', (chunk: string) => (got += chunk)).on('error', () => undefined);
    socket.write(text, () => resolve({ socket, got: () => got }));
  });
}

const head = (line: string, as?: string): string =>
  `${line} HTTP/1.1\r\nHost: a\r\n${as === undefined ? '' : `Authorization: Bearer ${as}\r\n`}`;

/** Enough to be no drip. */
const begun = (bytes: number, line: string, as?: string): Promise<unknown> =>
  open(`${head(line, as)}Content-Length: ${bytes}\r\n\r\n${'x'.repeat(2 * KIB)}`);

const ask = async (method: string, path: string, as?: string, body?: string): Promise<number> => {
  const authorization = as === undefined ? undefined : { authorization: `Bearer ${as}` };
  const answer = await fetch(gateway.url + path, { method, headers: { ...authorization }, ...(body ? { body } : {}) });
  await answer.arrayBuffer();
  return answer.status;
};

describe('who sends slowly', () => {
  it('without a token keeps nobody else without one waiting', async () => {
    await Promise.all(Array.from({ length: 100 }, () => begun(100 * KIB, 'POST /public/users/sign-in')));
    expect(await ask('POST', '/public/users/sign-in', undefined, '{}')).toBe(201);
    expect(fakes.seen).toHaveLength(1);
  });

  it.each([
    ['a small body', 100 * KIB, '/customers'],
    ['a large body', 900 * KIB, '/customers'],
    ['a file', 900 * KIB, '/api/usage-events/import'],
  ])('%s, as a tenant, keeps no other tenant waiting, which sends the same', async (_what, bytes, path) => {
    const [token, other] = [newTenant(), newTenant()];
    await Promise.all(Array.from({ length: 150 }, () => begun(bytes, `POST ${path}`, token)));
    expect(await ask('POST', path, other, 'x'.repeat(bytes))).toBe(201);
    expect(await ask('GET', '/customers', token)).toBe(200);
  });

  it('has a minute for a small body, however steadily it comes', async () => {
    const began = performance.now();
    const { socket, got } = await open(`${head('POST /public/users/sign-in')}Content-Length: ${250 * KIB}\r\n\r\n`);
    const drip = setInterval(() => socket.write('x'.repeat(KIB)), PACE_MS / 4);
    await new Promise((closed) => socket.once('close', closed));
    clearInterval(drip);
    expect(got()).toMatch(/^HTTP\/1.1 408 /);
    expect(performance.now() - began).toBeGreaterThan(3 * PACE_MS);
  });

  it('with headers, reads why the connection ends, and who sends nothing reads nothing: browsers connect ahead of a click', async () => {
    const [begun, ahead] = [await open('GET /customers HTTP/1.1\r\nHost:'), await open('')];
    await Promise.all([begun, ahead].map(({ socket }) => new Promise((closed) => socket.once('close', closed))));
    expect(begun.got()).toMatch(/^HTTP\/1.1 408 /);
    expect(ahead.got()).toBe('');
  });

  it('brings no more than 256 KiB without a token, announced or not', async () => {
    expect(await ask('POST', '/public/users/sign-in', undefined, 'x'.repeat(256 * KIB))).toBe(201);
    expect(await ask('POST', '/public/users/sign-in', undefined, 'x'.repeat(256 * KIB + 1))).toBe(413);
    const chunk = `${(300 * KIB).toString(16)}\r\n${'x'.repeat(300 * KIB)}\r\n0\r\n\r\n`;
    const { got } = await open(`${head('POST /public/users/sign-in')}Transfer-Encoding: chunked\r\n\r\n${chunk}`);
    await eventually(() => got().startsWith('HTTP/1.1 413 '));
  });
});

describe('who reads slowly', () => {
  it('keeps no other tenant waiting, and is cut off when it takes nothing at all', async () => {
    let cut = 0;
    fakes.answer = (request, response) => {
      if (request.url !== '/customers?all') return false;
      response.writeHead(200, { 'content-type': 'text/csv' });
      // More than all buffers on the way take.
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(64 * KIB)));
      };
      response.on('drain', more).on('close', () => cut++);
      more();
      return true;
    };
    const [token, other] = [newTenant(), newTenant()];
    for (let n = 0; n < 100; n++) (await open(`${head('GET /customers?all', token)}\r\n`)).socket.pause();
    expect(await ask('GET', '/customers', other)).toBe(200);
    expect(await ask('GET', '/customers', token)).toBe(200);
    await eventually(() => cut > 0);
  });
});

describe('who goes away', () => {
  it('gives no place free that the service still works on', async () => {
    let running = 0;
    const release: (() => void)[] = [];
    fakes.hold = () => {
      running++;
      return new Promise((resolve) => release.push(resolve));
    };
    const token = newTenant();
    for (let n = 0; n < 100; n++) {
      const { socket } = await open(`${head('GET /customers', token)}\r\n`);
      if (n < 48) await eventually(() => running === n + 1);
      socket.destroy();
    }
    await sleep(300);
    expect(running).toBe(48);
    fakes.hold = undefined;
    for (const free of release) free();
    await eventually(async () => (await ask('GET', '/customers', token)) === 200);
    // Of what waited, nobody waits any more: it is not asked for.
    expect(running).toBe(48);
  });

  it('while its large body of unknown length waits for a place, is gone for itself alone', async () => {
    const token = newTenant();
    const chunk = `${(300 * KIB).toString(16)}\r\n${'x'.repeat(300 * KIB)}\r\n`;
    const sent = Array.from({ length: 10 }, () =>
      open(`${head('POST /customers', token)}Transfer-Encoding: chunked\r\n\r\n${chunk}`),
    );
    const sockets = (await Promise.all(sent)).map(({ socket }) => socket);
    await sleep(300);
    // Those that wait go before those that have a place.
    for (const socket of sockets.reverse()) {
      socket.resetAndDestroy();
      await sleep(20);
    }
    expect(await ask('POST', '/customers', token, 'x'.repeat(300 * KIB))).toBe(201);
  });
});

describe('connections', () => {
  it.each([
    ['HTTP/1.1\r\nHost: a\r\nConnection: close', 'of who wants it so'],
    ['HTTP/1.0', 'of HTTP/1.0'],
  ])('are closed after the answer (%s)', async (version) => {
    const { socket, got } = await open(`GET /customers ${version}\r\nAuthorization: Bearer ${newTenant()}\r\n\r\n`);
    await new Promise((closed) => socket.once('close', closed));
    expect(got()).toMatch(/^HTTP\/1.1 200 /);
    expect(got()).toMatch(/\r\nconnection: close\r\n/i);
    expect(got()).not.toMatch(/keep-alive/i);
  });
});
