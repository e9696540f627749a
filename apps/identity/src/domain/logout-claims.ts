import { nameOf, sessionIdOf } from './provider-claims.js';

/** A company's identity provider says that somebody has signed out there. */
export interface ProviderLogout {
  /** Null where the provider names only its session. */
  readonly subject: string | null;
  /** The session of the provider that has ended; null: all of the subject's. */
  readonly sessionId: string | null;
  readonly at: Date;
  /** Its own name of the report; null: none. */
  readonly id: string | null;
}

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/**
 * Who has signed out, by the claims of a logout token that is signed and in time; null for what is none: an ID token has no such event,
 * and a nonce. @see OpenID Connect Back-Channel Logout 1.0, 2.6
 */
export function logoutOf(claims: Readonly<Record<string, unknown>>): ProviderLogout | null {
  const { sub, sid, iat, events, nonce, jti } = claims;
  const event = isObject(events) ? events[EVENT] : undefined;
  if (!isObject(event) || nonce !== undefined || typeof iat !== 'number') return null;
  const [subject, sessionId] = [nameOf(sub), sessionIdOf(claims)];
  // What cannot be read names nothing, and nothing else in its place.
  if ((sub !== undefined && subject === null) || (sid !== undefined && sessionId === null)) return null;
  return subject === null && sessionId === null
    ? null
    : { subject, sessionId, at: new Date(iat * 1000), id: nameOf(jti) };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
