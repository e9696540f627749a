import type { FastifyRequest } from 'fastify';
import type { RelyingParty } from '../accounts/passkeys.js';

const isLoopback = ({ hostname }: URL): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);

/**
 * What passkeys are bound to: the name under which the pages are reached. Null where they were opened by another one, and by an
 * address of numbers, for which browsers have no passkeys; on one's site machine `localhost` is the name.
 */
export function relyingPartyOf({ headers, host, protocol }: FastifyRequest, publicUrl: string): RelyingParty | null {
  const site = new URL(publicUrl);
  const forwardedHost = headers['x-forwarded-host'];
  const forwardedProtocol = headers['x-forwarded-proto'];
  const scheme = typeof forwardedProtocol === 'string' ? forwardedProtocol : protocol;
  const opened = URL.parse(`${scheme}://${typeof forwardedHost === 'string' ? forwardedHost : host}`);
  if (opened && isLoopback(site)) return opened.hostname === 'localhost' ? partyAt(opened) : null;
  return opened?.host === site.host && !/^[\d.]+$|^\[/.test(site.hostname) ? partyAt(site) : null;
}

const partyAt = ({ hostname, origin }: URL): RelyingParty => ({ id: hostname, origin });
