import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Agent, request } from 'undici';
import { guardedAgent, outboundAgent } from './outbound-agent.js';

/** Protocols of ALPN as a TLS client lists them (RFC 7301), each behind its length. */
const listed = (name: string): string => String.fromCharCode(name.length) + name;
const HTTP_1 = listed('http/1.1');
const HTTP_2 = listed('h2');

describe('a connection to somebody else', () => {
  const server = createServer();

  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterAll(() => {
    server.close();
  });

  it.each<[string, () => Agent]>([
    ['an address of ours', () => outboundAgent()],
    ['an address of a tenant', () => guardedAgent('sandbox', { connectTimeoutMs: 5_000 })],
  ])('to %s offers HTTP/1.1 alone', async (_what, makeAgent) => {
    const agent = makeAgent();
    const connected = once(server, 'connection') as Promise<[Socket]>;
    const url = `https://localhost:${(server.address() as AddressInfo).port}/`;
    const answered = request(url, { dispatcher: agent }).catch((error: Error) => error);
    const [socket] = await connected;
    const [hello] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    await answered;
    await agent.destroy();
    const text = hello.toString('latin1');
    expect(text).toContain(HTTP_1);
    expect(text.includes(HTTP_2 + HTTP_1) || text.includes(HTTP_1 + HTTP_2)).toBe(false);
  });
});
