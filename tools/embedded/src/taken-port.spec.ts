import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it } from '@jest/globals';
import { refuseTakenPort } from './taken-port.js';

const HOST = '127.0.0.1';

async function listening() {
  const server = createServer().listen(0, HOST);
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

it('waits for the port of a process that is about to be gone', async () => {
  const { server, port } = await listening();
  const start = refuseTakenPort(HOST, port, 60_000);
  setTimeout(() => server.close(), 120);
  await expect(start).resolves.toBeUndefined();
});

it('is refused with one line where it stays in use', async () => {
  const { server, port } = await listening();
  await expect(refuseTakenPort(HOST, port, 100)).rejects.toThrow(`Port ${port} is in use: set PORT to another one.`);
  server.close();
});
