import type { Socket } from 'node:net';
import { onDemand } from '@kontor/kernel';

const library = onDemand<unknown>('kafkajs/src/network/connection.js', import.meta.url);

/** As far as this file needs it: all connections to a broker, one after the other, and what was read of an answer. */
interface Connection {
  socket?: Socket;
  bytesBuffered: number;
  bytesNeeded: number;
  chunks: Buffer[];
  isConnected(): boolean;
  connect(): Promise<unknown>;
  processData(chunk: Buffer): void;
}

/** An answer begins with its length. */
const LENGTH_BYTES = 4;

/**
 * kafkajs keeps the part of an answer in whose middle a connection ended, and reads on from there when it is connected again: a length in
 * the wrong place, and an error outside of any promise, which ends the process. What an earlier connection still brings is of no answer either.
 */
export function withoutHalfAnswers(): void {
  const { prototype } = library() as { prototype: Connection & { patched?: true } };
  if (prototype.patched) return;
  const connect = prototype.connect;
  prototype.connect = function (this: Connection): Promise<unknown> {
    if (this.isConnected()) return connect.call(this);
    Object.assign(this, { bytesBuffered: 0, bytesNeeded: LENGTH_BYTES, chunks: [] });
    const before = this.socket;
    const connected = connect.call(this);
    const { socket } = this;
    if (socket !== before)
      socket?.removeAllListeners('data').on('data', (chunk: Buffer) => {
        if (this.socket === socket) this.processData(chunk);
      });
    return connected;
  };
  prototype.patched = true;
}
