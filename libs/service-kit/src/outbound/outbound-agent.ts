import { Agent } from 'undici';
import { guardedLookup } from './guarded-lookup.js';
import type { Reach } from './public-address.js';

/**
 * Connects to systems of others, by HTTP/1.1 alone: a request that is given up closes its connection, and the next one opens another. By
 * HTTP/2 all requests to a host share a connection that outlives each of them. One that died without a word (a load balancer that was
 * replaced, a firewall that forgot it) fails every request to that host, of all tenants, and nobody opens another.
 */
export const outboundAgent = (options: Agent.Options = {}): Agent => new Agent({ ...options, allowH2: false });

/** For addresses that tenants name: it connects to none that is out of their reach. */
export const guardedAgent = (
  reach: Reach,
  { connectTimeoutMs, ...options }: Omit<Agent.Options, 'connect'> & { readonly connectTimeoutMs: number },
): Agent =>
  outboundAgent({ ...options, connect: { lookup: guardedLookup(reach), timeout: connectTimeoutMs } as never });
