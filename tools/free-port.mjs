import { createServer } from 'node:net';

// Below the ports that systems give to outgoing connections: one of those could take the port between asking and binding.
const FIRST = 12_000;
const COUNT = 20_000;
/** Whoever asked may not listen yet. */
const given = new Set();

/** @param {number} port */
const isFree = (port) =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

/**
 * A port on which nothing listens, that no connection will be given by chance, and that this process has not given before.
 * @returns {Promise<number>}
 */
export async function freePort() {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = FIRST + Math.floor(Math.random() * COUNT);
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
  throw new Error('No free port was found.');
}
