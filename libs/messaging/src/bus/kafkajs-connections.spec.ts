import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import Connection from 'kafkajs/src/network/connection.js';
import socketFactory from 'kafkajs/src/network/socketFactory.js';
import { withoutHalfAnswers } from './kafkajs-connections.js';

interface Answer {
  readonly correlationId: number;
  readonly payload: Buffer;
}

interface KafkaConnection {
  readonly requestQueue: { fulfillRequest: (answer: Answer) => void };
  connect(): Promise<boolean>;
  disconnect(): Promise<boolean>;
  isConnected(): boolean;
}

const answerOf = (correlationId: number, text: string): Buffer => {
  const head = Buffer.alloc(8);
  head.writeInt32BE(4 + text.length, 0);
  head.writeInt32BE(correlationId, 4);
  return Buffer.concat([head, Buffer.from(text)]);
};

let broker: Server;
const accepted: Socket[] = [];
beforeEach(async () => {
  broker = createServer((socket) => accepted.push(socket.on('error', () => undefined)));
  await new Promise<void>((listening) => broker.listen(0, '127.0.0.1', listening));
});
afterEach(() => {
  for (const socket of accepted.splice(0)) socket.destroy();
  broker.close();
});

it('a connection that ended in the middle of an answer reads the answers of the next one from their beginning', async () => {
  withoutHalfAnswers();
  const silent = { debug: () => undefined, error: () => undefined };
  const { port } = broker.address() as AddressInfo;
  const connection = new (Connection as unknown as new (options: object) => KafkaConnection)({
    host: '127.0.0.1',
    port,
    socketFactory: (socketFactory as unknown as () => unknown)(),
    connectionTimeout: 5_000,
    requestTimeout: 5_000,
    logger: { namespace: () => silent },
  });
  const answers: string[] = [];
  let answered!: () => void;
  const done = new Promise<void>((resolve) => (answered = resolve));
  connection.requestQueue.fulfillRequest = ({ correlationId, payload }) => {
    answers.push(`${correlationId}: ${payload.toString()}`);
    if (correlationId === 3) answered();
  };
  const nextAccepted = async (n: number): Promise<Socket> => {
    while (accepted.length < n) await new Promise((resolve) => setTimeout(resolve, 5));
    return accepted[n - 1] as Socket;
  };

  await connection.connect();
  const first = await nextAccepted(1);
  first.end(Buffer.concat([answerOf(1, 'whole'), answerOf(2, 'cut in the middle').subarray(0, 12)]));
  while (connection.isConnected()) await new Promise((resolve) => setTimeout(resolve, 5));

  await connection.connect();
  (await nextAccepted(2)).write(answerOf(3, 'whole again'));
  await done;
  await connection.disconnect();
  expect(answers).toEqual(['1: whole', '3: whole again']);
});
