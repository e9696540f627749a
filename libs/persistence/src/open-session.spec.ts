import { createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openSession } from './open-session.js';

/** AuthenticationOk and ReadyForQuery. */
const WELCOME = Buffer.from('520000000800000000' + '5a0000000549', 'hex');

describe('a session of a start', () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => undefined));
    socket.once('data', () => socket.write(WELCOME));
  });
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it('whose server ends fails what is asked next, and not the process', async () => {
    const { port } = server.address() as { port: number };
    const session = await openSession(`postgres://a:b@127.0.0.1:${port}/c`, 'test');
    const lost = new Promise((resolve) => session.once('end', resolve));
    for (const socket of sockets) socket.destroy();
    await lost;
    await expect(session.query('SELECT 1')).rejects.toThrow(/not queryable|terminated/);
  });
});
