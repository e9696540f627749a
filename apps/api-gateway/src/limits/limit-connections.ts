import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '@kontor/service-kit';
import { sendRawProblem } from '../send-problem.js';

/** Refuses connections of an address that has so many open already: 429, and the connection ends. */
export function limitConnections(server: Server, maxPerAddress: number): void {
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const address = networkOf(socket.remoteAddress ?? '');
    const count = (open.get(address) ?? 0) + 1;
    if (count > maxPerAddress) return sendRawProblem(socket, 429);
    open.set(address, count);
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left === 0) open.delete(address);
      else open.set(address, left);
    });
  });
}
