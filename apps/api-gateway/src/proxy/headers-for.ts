import { INTERNAL_TOKEN_HEADER, WAITED_HEADER } from '@kontor/service-kit';
import type { FastifyRequest } from 'fastify';
import type { Authenticate, Caller } from '../auth/authenticate.js';
import { traceparentOf } from '../observe.js';

export type ForwardedHeaders = Record<string, string | string[] | undefined>;

/** Where apps show who they are by the standards' own means, and people by cookies: identity has to see what they send. */
export const isOauth = (url: string): boolean => /^\/(oauth2\/|userinfo$|userinfo\?)/.test(url);

/** Of the connection to us, not of the request. @see RFC 9110, 7.6.1 */
const OF_CONNECTION = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
]);
/** Ours to say. */
const OURS = new Set(['host', 'expect', 'x-kontor-actor', INTERNAL_TOKEN_HEADER]);

/**
 * What a service gets to see: our word on who is calling, never the outside's token, except where apps sign people in. Which headers
 * are of its connection the client names itself, and has no say in ours by that.
 */
export function headersFor(
  request: FastifyRequest,
  caller: Caller | undefined,
  authenticate: Authenticate,
): ForwardedHeaders {
  const { authorization, ...sent } = request.headers;
  const named = new Set((sent.connection ?? '').toLowerCase().split(/[\s,]+/));
  const rest = Object.entries(sent).filter(([name]) => !OF_CONNECTION.has(name) && !OURS.has(name) && !named.has(name));
  return {
    ...Object.fromEntries(rest),
    ...(isOauth(request.url) && authorization !== undefined ? { authorization } : {}),
    'x-forwarded-host': request.host,
    'x-forwarded-proto': request.protocol,
    'x-request-id': request.id,
    // Ours, whatever the outside claims: it is kept with a mandate that is given on a page.
    'x-forwarded-for': request.ip,
    traceparent: traceparentOf(request),
    ...(caller ? { [INTERNAL_TOKEN_HEADER]: authenticate.sign(caller) } : {}),
  };
}

/** What the client gets to see of a service's headers: those of our connection to the service are not of the client's. */
export const answeredHeaders = <V>(theirs: Readonly<Record<string, V>>): Record<string, V> =>
  Object.fromEntries(
    Object.entries(theirs).filter(
      ([name]) => !OF_CONNECTION.has(name) && name !== 'x-request-id' && name !== WAITED_HEADER,
    ),
  );
