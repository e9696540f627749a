import { Worker } from 'node:worker_threads';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createServer, type Server } from 'node:net';
import { fastify, type FastifyInstance } from 'fastify';
import { describe, expect, it } from '@jest/globals';
import { listen } from '../src/listen.js';

const CLIENTS = 128;

/** Connects while the thread that starts it is at a standstill. */
const CONNECTING = `
  const { workerData: { port, clients, connected } } = require('node:worker_threads');
  const { connect } = require('node:net');
  for (let n = 0; n < clients; n++)
    connect(port, '127.0.0.1', () => { Atomics.add(connected, 0, 1); Atomics.notify(connected, 0); }).unref();
  setInterval(() => undefined, 1_000);
`;

const portOf = ({ server }: FastifyInstance): number => (server.address() as { port: number }).port;

describe('the public door', () => {
  const itOnLinux = process.platform === 'linux' ? it : it.skip;

  itOnLinux('accepts many connections in a turn of the event loop', async () => {
    const app = fastify();
    const stop = await listen(app, { port: 0, host: '127.0.0.1' });
    let accepted = 0;
    app.server.on('connection', () => accepted++);
    const connected = new Int32Array(new SharedArrayBuffer(4));
    const clients = new Worker(CONNECTING, {
      eval: true,
      workerData: { port: portOf(app), clients: CLIENTS, connected },
    });
    for (let count = 0; count < CLIENTS; count = Atomics.load(connected, 0)) Atomics.wait(connected, 0, count, 60_000);
    let turns = 0;
    for (; accepted < CLIENTS; turns++) await nextTurn();
    expect(turns).toBeLessThan(CLIENTS / 2);
    await clients.terminate();
    await Promise.all([app.close(), stop()]);
  });

  it('shares its port with nobody', async () => {
    const app = fastify();
    const stop = await listen(app, { port: 0, host: '127.0.0.1' });
    const other = fastify();
    await expect(listen(other, { port: portOf(app), host: '127.0.0.1' })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    const port = portOf(app);
    await Promise.all([app.close(), stop(), other.close()]);
    const again: Server = createServer();
    await new Promise<void>((resolve, reject) => again.once('error', reject).listen(port, '127.0.0.1', resolve));
    await new Promise((resolve) => again.close(resolve));
  });
});
