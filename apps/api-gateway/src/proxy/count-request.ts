import type { FastifyRequest } from 'fastify';
import type { CountedKind, LimitState, RateLimit } from '../limits/rate-limit.js';

/** Whoever asks for the headers alone has those that GET has; the body is left out on the way back. */
export const askedOf = ({ method }: FastifyRequest): string => (method === 'HEAD' ? 'GET' : method);

/** Logins by a link, and what has something mailed to an address that anybody enters: a link, or what was declared there. */
const LOGIN =
  /^\/public\/(customer\/(request-login-link$|login($|\/))|users\/(sign-in|request-password-reset)$|(account|cancellation)\/)/;
/** An order, or its form, by who has the cart's link and no token: it is confirmed, and a cart that was left reminded of, by mail. */
const ORDER = /^\/public\/checkout\/(cart\/[^/]+\/confirm$|carts\/)/;
/** What a payment provider reports of all payments, from few addresses: after a billing run of each of them. */
const CALLBACK = /^\/public\/payment\/callbacks\//;
/** A logout that a company's identity provider reports, for all of its people: identity has a limit for these. */
const REPORT = /^\/public\/account\/company\/[^/]+\/logout$/;
/** A step of a sign-in to an app: the e-mail address, the click behind the link, consent. */
const SIGN_IN = /^\/oauth2\/interaction\/([^/]{1,100})/;

/** As what a request counts, and whether that is allowed still. */
export async function countRequest(
  request: FastifyRequest,
  path: string,
  caller: Parameters<RateLimit['take']>[0],
  limits: RateLimit,
): Promise<LimitState> {
  const { ip } = request;
  const method = askedOf(request);
  const signIn = method === 'POST' ? SIGN_IN.exec(path)?.[1] : undefined;
  if (signIn === undefined) return limits.take(caller, ip, countedAs(method, path, caller !== undefined));
  // An id written otherwise (with percent signs) is the same one: all of these count as one sign-in.
  const step = await limits.takeStep(ip, /^[\w-]+$/.test(signIn) ? signIn : '');
  if (!step.allowed) return step;
  const all = await limits.take(caller, ip, 'sign-in');
  return all.allowed ? step : all;
}

function countedAs(method: string, path: string, isKnown: boolean): CountedKind {
  if (method === 'GET') return 'request';
  if (!isKnown && ORDER.test(path)) return 'order';
  if (method !== 'POST' || REPORT.test(path)) return 'request';
  if (!isKnown && CALLBACK.test(path)) return 'callback';
  return path.startsWith('/api/usage-events') ? 'usage' : LOGIN.test(path) ? 'login' : 'request';
}
