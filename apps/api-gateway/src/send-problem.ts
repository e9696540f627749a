import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import { notNowPage, PROBLEM_JSON, problem, problemOf, requestIdFrom } from '@kontor/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Refused bodies up to this size are read to their end, so that a client that is still writing gets to see why. */
const LINGER_BYTES = 64 * 1024 * 1024;
const LINGER_MS = 5_000;

/** Answers a refusal or a fault as problem+json; browsers get a page of what will pass. */
export function sendProblem(reply: FastifyReply, error: unknown, requestId: string): FastifyReply {
  const status = (error as { statusCode?: number }).statusCode;
  const answer =
    status === 405 ? { body: problem(status, requestId), headers: {}, fault: false } : problemOf(error, requestId);
  if (answer.fault) reply.log.error({ err: error, requestId }, 'request failed');
  const { raw } = reply.request;
  if (!raw.complete) {
    const untouched =
      answer.body.status < 500 && raw.readableFlowing === null && Number(raw.headers['content-length']) <= LINGER_BYTES;
    if (untouched) linger(raw);
    else void reply.header('connection', 'close');
  }
  const page = notNowPage(answer.body.status, reply.request);
  return reply
    .status(answer.body.status)
    .headers({ ...answer.headers, ...askedAlready(reply), ...(page?.headers ?? { 'content-type': PROBLEM_JSON }) })
    .send(page?.html ?? JSON.stringify(answer.body));
}

/** How a caller is to say who it is, where that is not by a bearer token. */
function askedAlready(reply: FastifyReply): Record<string, string> {
  const asked = reply.getHeader('www-authenticate');
  return typeof asked === 'string' ? { 'www-authenticate': asked } : {};
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

const UNREADABLE: Record<string, number> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
};

const REQUEST_LINE = /^[\w!#$%&'*+.^`|~-]+ \S+ HTTP\/1\.\d\r?\n/;

/**
 * What is no HTTP, has too many headers, or arrives too slowly: it never became a request. Connections on which nothing came end without a
 * word: browsers open some ahead of what a person may click on, and would read it as the answer to that.
 */
export function sendUnreadable(error: { code?: string; rawPacket?: Buffer }, socket: Socket): void {
  const { code = '', rawPacket } = error;
  if (socket.bytesRead === 0) socket.destroy();
  else if (code === 'ECONNRESET') socket.destroySoon();
  else if (code === 'HPE_INVALID_METHOD' && REQUEST_LINE.test(rawPacket?.toString('latin1') ?? ''))
    sendRawProblem(socket, 405);
  else sendRawProblem(socket, UNREADABLE[code] ?? 400);
}

/** Answers on a connection that no request is read from, and ends it. */
export function sendRawProblem(socket: Socket, status: number): void {
  if (socket.writable) {
    const requestId = requestIdFrom(undefined);
    const body = JSON.stringify(problem(status, requestId));
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      `Content-Type: ${PROBLEM_JSON}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      ...(status === 429 ? ['Retry-After: 1'] : []),
    ];
    socket.write([...head, 'Connection: close', '', body].join('\r\n'));
  }
  socket.destroySoon();
}

/** For the gateway's pages, and for requests that match no route. */
@Catch()
export class PageProblemFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    void sendProblem(http.getResponse<FastifyReply>(), error, http.getRequest<FastifyRequest>().id);
  }
}
