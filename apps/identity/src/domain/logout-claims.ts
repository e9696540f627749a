/** A company's identity provider says that somebody has signed out there. */
export interface ProviderLogout {
  readonly subject: string;
  readonly at: Date;
}

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/**
 * Who has signed out, by the claims of a logout token that is signed and in time; null for what is none: an ID token has no such event, and
 * what only names a session of the provider (`sid`) names nobody here. @see OpenID Connect Back-Channel Logout 1.0, 2.6
 */
export function logoutOf(claims: Readonly<Record<string, unknown>>): ProviderLogout | null {
  const { sub, iat, events, nonce } = claims;
  const event = isObject(events) ? events[EVENT] : undefined;
  if (!isObject(event) || nonce !== undefined || typeof iat !== 'number' || typeof sub !== 'string' || sub === '')
    return null;
  return { subject: sub, at: new Date(iat * 1000) };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
