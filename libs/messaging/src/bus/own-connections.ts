import type { Socket } from 'node:net';
import { onDemand } from '@kontor/kernel';
import type { ISocketFactory } from 'kafkajs';

const library = onDemand<() => ISocketFactory>('kafkajs/src/network/socketFactory.js', import.meta.url);

/**
 * The connections of one consumer, which can be ended for good. One that has to leave while it still joins its group goes on joining, connects
 * anew for that, and keeps partitions that nobody reads: kafkajs ends only what has joined.
 */
export class OwnConnections {
  private readonly sockets = new Set<Socket>();
  private areOver = false;

  readonly socketFactory: ISocketFactory = (options) => {
    if (this.areOver) throw new Error('this consumer was given up');
    const socket = library()()(options);
    this.sockets.add(socket);
    return socket.once('close', () => this.sockets.delete(socket)).on('error', () => undefined);
  };

  /** With an error: kafkajs takes a connection that ends without one for open. */
  end(): void {
    this.areOver = true;
    for (const socket of this.sockets) socket.destroy(new Error('this consumer was given up'));
  }
}
