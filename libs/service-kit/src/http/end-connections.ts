import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Follows the connections of a server, so that a stop waits for requests and not for those who hold a connection. What it
 * returns ends all that have no request under way, the others after their answer, and what is left after `limitMs`, unless
 * what that returns is called when all have ended: a server that closes no longer times out clients that never finish what they send.
 */
export function followConnections(server: Server): (limitMs: number) => () => void {
  const requests = new Map<Socket, number>();
  let ending = false;
  const count = (socket: Socket, change: number): void => {
    const open = requests.get(socket);
    if (open === undefined) return;
    requests.set(socket, open + change);
    if (ending && open + change === 0) socket.destroySoon();
  };
  server.on('connection', (socket: Socket) => {
    if (ending) return void socket.destroy();
    requests.set(socket, 0);
    socket.once('close', () => requests.delete(socket));
  });
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    count(socket, 1);
    response.once('close', () => count(socket, -1));
  });
  return (limitMs) => {
    ending = true;
    for (const [socket, open] of requests) if (open === 0) socket.destroy();
    const late = setTimeout(() => [...requests.keys()].forEach((socket) => socket.destroy()), limitMs);
    return () => clearTimeout(late);
  };
}
