import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { newBearerSecret } from '@kontor/service-kit';
import { apiKeyPrincipal, eventually } from '@kontor/testing';
import { startGateway } from '../src/index.js';
import { FakeServices, SECRET } from './fake-services.js';

const NOT_LIMITED = {
  live: 1e6,
  liveUsage: 1e6,
  sandbox: 1e6,
  sandboxUsage: 1e6,
  anonymous: 1e6,
  logins: 1e6,
  signIns: 1e6,
  orders: 1e6,
  callbacks: 1e6,
};
let fakes: FakeServices;
beforeAll(async () => void (fakes = await FakeServices.start()));
afterAll(() => fakes.stop());

it('stops while clients hold connections and never finish what they send', async () => {
  const door = {
    host: '127.0.0.1',
    port: 0,
    services: fakes.directory,
    internalSecret: SECRET,
    rateLimits: NOT_LIMITED,
  };
  const gateway = await startGateway({ ...door, logLevel: 'silent' });
  await gateway.ready();
  const token = newBearerSecret('api_');
  fakes.known.set(token, { principal: apiKeyPrincipal(newUuid()), mode: 'live' });
  const head = `POST /customers HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Length: 100\r\n`;
  const sockets = ['', 'GET / HTTP', head, `${head}\r\n{`].map((begin) => {
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1', () => socket.write(begin));
    return socket.on('error', () => undefined);
  });
  await eventually(
    () => sockets.every((socket: Socket) => socket.bytesWritten > 0 || !socket.connecting),
    'connections',
  );
  // The last one on the list has been accepted, and so have those before it.
  expect((await fetch(`${gateway.url}/health`)).status).toBe(200);
  await gateway.stop();
  await eventually(() => sockets.every((socket) => socket.closed), 'the connections are closed');
});
