import { BlockList, isIP } from 'node:net';

/** Where what a tenant names may be: anywhere public; a sandbox's also to this machine. */
export type Reach = 'public' | 'sandbox';

/**
 * How far a tenant's addresses may lead: a sandbox's to this machine only where the system itself is reached at it, because elsewhere it is the
 * operator's machine and not the tenant's.
 */
export function reachOf(mode: 'live' | 'sandbox', publicUrl: string): Reach {
  return mode === 'sandbox' && isHere(new URL(publicUrl).hostname) ? 'sandbox' : 'public';
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/**
 * Everything that is not the public internet. @see RFC 6890,
 * https://www.iana.org/assignments/iana-ipv6-special-registry
 */
const closed = new BlockList();
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // On each machine in Azure, the platform itself.
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  closed.addSubnet(net, bits, 'ipv4');

/** Only 2000::/3 is given out; in it these are not the internet or hide an IPv4 address. */
const openIpv6 = new BlockList();
openIpv6.addSubnet('2000::', 3, 'ipv6');
for (const [net, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  closed.addSubnet(net, bits, 'ipv6');

/** `::ffff:10.0.0.1` and `::ffff:a00:1` are the IPv4 address that they carry. */
function unmapped(address: string): string {
  const text = address.toLowerCase().replace(/%.*$/, '');
  const dotted = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  if (dotted) return dotted[1]!;
  const hex = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(text);
  if (!hex) return text;
  const [high, low] = [Number.parseInt(hex[1]!, 16), Number.parseInt(hex[2]!, 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

export function isLoopback(address: string): boolean {
  const plain = unmapped(address);
  return loopback.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4');
}

/** Whether a resolved address may be connected to. */
export function isAllowedAddress(address: string, reach: Reach): boolean {
  const plain = unmapped(address);
  const family = isIP(plain);
  if (family === 0) return false;
  if (reach === 'sandbox' && isLoopback(plain)) return true;
  if (family === 4) return !closed.check(plain, 'ipv4');
  return openIpv6.check(plain, 'ipv6') && !closed.check(plain, 'ipv6');
}

const plainHost = (hostname: string): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
/** Names that are this machine by definition. @see RFC 6761 */
export const isNamedHere = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost');

/** Whether a host is this machine by its name or address. */
function isHere(hostname: string): boolean {
  const host = plainHost(hostname);
  return isNamedHere(host) || (isIP(host) !== 0 && isLoopback(host));
}

/**
 * Why a URL can't be a receiver, or null: https only (http for this machine, in a sandbox), no credentials, no address
 * that is not public. Names are checked when they are resolved, at each attempt.
 */
export function refusalOfAddress(text: string, reach: Reach): string | null {
  if (!URL.canParse(text)) return 'must be an absolute URL';
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must be an https URL';
  if (url.username !== '' || url.password !== '') return 'must not contain credentials';
  const host = plainHost(url.hostname);
  const named = isNamedHere(host);
  const here = isHere(host);
  if (url.protocol === 'http:' && !(here && reach === 'sandbox')) return 'must be an https URL';
  if ((named && reach === 'public') || (isIP(host) !== 0 && !isAllowedAddress(host, reach)))
    return 'must be a public address';
  return null;
}
