import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ServiceName } from '@kontor/contracts';
import { newUuid } from '@kontor/kernel';
import { isTransient } from '@kontor/messaging';
import { InternalClient, InternalTokens, ServiceDirectory } from '../src/index.js';
import { INTERNAL_TOKEN_HEADER } from '../src/internal/internal-token.js';

/** Billing's client, for a service that the server is, and others that are named before it. */
function clientOf(service: ServiceName, server: Server, ...others: string[]): InternalClient {
  const directory = new ServiceDirectory();
  const client = new InternalClient('billing', directory, new InternalTokens('ours'));
  beforeAll(async () => {
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    directory.set(service, ...others, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
  afterAll(async () => {
    await client.close();
    await new Promise((closed) => server.close(closed));
  });
  return client;
}

describe('a service of which one replica is gone', () => {
  const server = createServer((_request, response) => void response.end('{}'));
  const client = clientOf('invoicing', server, 'http://127.0.0.1:1');

  it('gives files by the other one, as it does everything else', async () => {
    const options = { tenantId: newUuid() };
    expect((await client.bytes('invoicing', '/internal/media/x', options)).toString()).toBe('{}');
    expect(await client.call('invoicing', 'POST', '/x', {}, options)).toEqual({});
  });
});

describe('a service whose SECRETS_KEY is another one', () => {
  const theirs = new InternalTokens('theirs');
  const server = createServer((request, response) => {
    try {
      theirs.verify(String(request.headers[INTERNAL_TOKEN_HEADER]));
      response.end('{}');
    } catch {
      response.writeHead(401, { 'content-type': 'application/problem+json' }).end('{"reason":"unauthenticated"}');
    }
  });
  const client = clientOf('usage', server);

  it.each(['call', 'bytes'] as const)('counts as away, with the cause, and not as a refusal: %s', async (how) => {
    const options = { tenantId: newUuid() };
    const asked =
      how === 'call' ? client.call('usage', 'POST', '/x', {}, options) : client.bytes('usage', '/x', options);
    const error = await asked.catch((reason: unknown) => reason);
    expect(error).toMatchObject({ kind: 'unavailable', message: expect.stringContaining('SECRETS_KEY') });
    // No event is put aside for it.
    expect(isTransient(error)).toBe(true);
  });
});

describe('an answer that is not from the service itself, or a part of one', () => {
  const said = { status: 200, text: '' };
  const server = createServer((_request, response) => void response.writeHead(said.status).end(said.text));
  const client = clientOf('usage', server);

  it.each([
    [200, '<html>It works!</html>'],
    [200, '{"data":[{"id":"01'],
    [403, 'RBAC: access denied'],
    [404, '<html>Not Found</html>'],
  ])('%s %s: what was read is away, what was to be changed is unknown', async (status, text) => {
    Object.assign(said, { status, text });
    const options = { tenantId: newUuid() };
    const asked = [
      client.call('usage', 'GET', '/x', null, options),
      client.call('usage', 'POST', '/x', {}, options),
      ...(status >= 400 ? [client.bytes('usage', '/x', options)] : []),
    ];
    const errors = (await Promise.allSettled(asked)).map((result) => (result as PromiseRejectedResult).reason as Error);
    expect(errors.map(({ name }) => name)).toEqual(
      ['ServiceUnavailable', 'OutcomeUnknown', 'ServiceUnavailable'].slice(0, asked.length),
    );
    expect(errors.every(isTransient)).toBe(true);
  });
});
