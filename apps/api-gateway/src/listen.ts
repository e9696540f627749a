import { createServer, type AddressInfo, Server } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** How many connections are accepted in one turn of the event loop: one of each listening socket. */
const SOCKETS = 16;
/**
 * Connections that wait to be accepted while the process is busy. What finds no room is not refused: its client tries again
 * after one, three and seven seconds.
 */
const BACKLOG = 4_096;

/** Where to listen. */
interface Address {
  readonly port: number;
  readonly host: string;
}

/**
 * Listens, where the system allows it by several sockets: of each, one connection is accepted in a turn of the event loop, and
 * under load a turn takes long, so that new clients of a single one would wait for seconds. Returns what stops the others
 * than the first, when their connections have ended.
 * @throws Error `EADDRINUSE` and the like.
 */
export async function listen(fastify: FastifyInstance, { port, host }: Address): Promise<() => Promise<void>> {
  if (process.platform !== 'linux') {
    await fastify.listen({ port, host, backlog: BACKLOG });
    return async () => undefined;
  }
  await mustBeFree({ port, host });
  // Fastify's types do not know `reusePort`; it passes on what it does not know.
  await fastify.listen({ port, host, backlog: BACKLOG, reusePort: true } as Address);
  const { server } = fastify;
  const address = server.address() as AddressInfo;
  const others = await Promise.all(
    Array.from({ length: SOCKETS - 1 }, async () => {
      const other = new Server({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket));
      await listening(other, { port: address.port, host: address.address, backlog: BACKLOG, reusePort: true });
      return other;
    }),
  );
  return async () => {
    await Promise.all(others.map(closed));
  };
}

/** Sockets that share a port would share it with another process, too. */
async function mustBeFree(address: Address): Promise<void> {
  if (address.port === 0) return;
  const probe = createServer();
  await listening(probe, address);
  await closed(probe);
}

const listening = (server: Server, options: Parameters<Server['listen']>[0]): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options as Address, resolve);
  });

const closed = (server: Server): Promise<void> => new Promise((resolve) => void server.close(() => resolve()));
