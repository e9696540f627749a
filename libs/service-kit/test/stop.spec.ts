import { connect, type Socket } from 'node:net';
import { expect, it } from '@jest/globals';
import { eventually, testService } from '@kontor/testing';
import { sampleService } from './sample-service.js';

it('stops while connections are held that sent nothing, or half a request', async () => {
  const test = await testService(sampleService);
  const { url } = test.service;
  const sockets = ['', 'GET /healt', 'POST /notes HTTP/1.1\r\nHost: a\r\n'].map((begin) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(begin));
    return socket.on('error', () => undefined);
  });
  await eventually(() => sockets.every((socket: Socket) => !socket.connecting), 'connections');
  // The last one on the list has been accepted, and so have those before it.
  expect((await fetch(`${url}/notes`)).status).toBe(401);
  await test.stop();
  await eventually(() => sockets.every((socket) => socket.closed), 'the connections are closed');
});
