import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import { PROBLEM_JSON, problem, problemOf, requestIdFrom } from '@kontor/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Refused bodies up to this size are read to their end, so that a client that is still writing gets to see why. */
const LINGER_BYTES = 64 * 1024 * 1024;
const LINGER_MS = 5_000;

/** Answers a refusal or a fault as problem+json. */
export function sendProblem(reply: FastifyReply, error: unknown, requestId: string): FastifyReply {
  const status = (error as { statusCode?: number }).statusCode;
  const answer = status === 405 ? { body: problem(405, requestId), headers: {}, fault: false } : problemOf(error, requestId);
  if (answer.fault) reply.log.error({ err: error, requestId }, 'request failed');
  const { raw } = reply.request;
  if (!raw.complete) {
    const untouched = answer.body.status < 500 && raw.readableFlowing === null && Number(raw.headers['content-length']) <= LINGER_BYTES;
    if (untouched) linger(raw);
    else void reply.header('connection', 'close');
  }
  return reply
    .status(answer.body.status)
    .headers({ ...answer.headers, 'content-type': PROBLEM_JSON })
    .send(JSON.stringify(answer.body));
}

function linger(raw: IncomingMessage): void {
  const patience = setTimeout(() => raw.destroy(), LINGER_MS).unref();
  raw.once('close', () => clearTimeout(patience)).resume();
}

/** What Fastify refuses before any route is looked for, such as an address that cannot be decoded. */
export function sendUnroutable(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const requestId = requestIdFrom(request.headers['x-request-id']);
  void sendProblem(reply.header('x-request-id', requestId), error, requestId);
}

const UNREADABLE: Record<string, number> = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 };

/** What is no HTTP, has too many headers, or takes too long to arrive: no request was made of it. */
export function sendUnreadable(error: { code?: string }, socket: Socket): void {
  if (error.code !== 'ECONNRESET' && socket.writable) {
    const status = UNREADABLE[error.code ?? ''] ?? 400;
    const body = JSON.stringify(problem(status, requestIdFrom(undefined)));
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      `Content-Type: ${PROBLEM_JSON}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
    ];
    socket.write([...head, 'Connection: close', '', body].join('\r\n'));
  }
  socket.destroySoon();
}

/** For the gateway's own pages, and for what no route takes. */
@Catch()
export class PageProblemFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    void sendProblem(http.getResponse<FastifyReply>(), error, http.getRequest<FastifyRequest>().id);
  }
}
