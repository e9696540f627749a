import { BlockList, isIP } from 'node:net';
import { plainAddress } from './network-of.js';

/** The parts of `203.0.113.0/24` or `2001:db8::1`; undefined for any other text. */
function rangeOf(text: string): { address: string; bits: number; family: 'ipv4' | 'ipv6' } | undefined {
  const [address, bits, more] = text.split('/') as [string, string?, string?];
  const version = isIP(address);
  if (version === 0 || more !== undefined) return undefined;
  const maxBits = version === 4 ? 32 : 128;
  if (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= maxBits)) return undefined;
  return { address, bits: bits === undefined ? maxBits : Number(bits), family: version === 4 ? 'ipv4' : 'ipv6' };
}

/** Whether a text is an address or a range of addresses in CIDR notation. */
export const isIpRange = (text: unknown): boolean => typeof text === 'string' && rangeOf(text) !== undefined;

/** Finds out whether addresses are in one of the ranges: as proxies write them, with a port too, and those of IPv4 as IPv6. */
export function ipMatcher(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const range of ranges.map(rangeOf)) if (range) list.addSubnet(range.address, range.bits, range.family);
  return (address) => {
    const plain = plainAddress(address);
    const version = isIP(plain);
    return version !== 0 && list.check(plain, version === 4 ? 'ipv4' : 'ipv6');
  };
}

/** The first and the last address of a range, as numbers of IPv6; undefined for what is none. */
interface Span {
  readonly first: bigint;
  readonly last: bigint;
}

const MAPPED = 0xffffn << 32n;

function spanOf(text: string): Span | undefined {
  const range = rangeOf(text);
  const number = range && (range.family === 'ipv4' ? MAPPED + numberOf4(range.address) : numberOf6(range.address));
  if (!range || number === undefined) return undefined;
  const size = 1n << BigInt((range.family === 'ipv4' ? 32 : 128) - range.bits);
  const first = number - (number % size);
  return { first, last: first + size - 1n };
}

const numberOf4 = (address: string): bigint => address.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n);

/** Undefined for an address with a zone, which is another one on each machine. */
function numberOf6(address: string): bigint | undefined {
  const url = URL.parse(`http://[${address}]`);
  if (!url) return undefined;
  const [head = [], tail = []] = url.hostname
    .slice(1, -1)
    .split('::')
    .map((half) => half.split(':').filter(Boolean));
  const zeros = Array<string>(8 - head.length - tail.length).fill('0');
  return [...head, ...zeros, ...tail].reduce((sum, part) => sum * 65_536n + BigInt(`0x${part}`), 0n);
}

/** Spans that overlap or touch, as one. */
function joined(spans: readonly Span[]): Span[] {
  const result: Span[] = [];
  for (const span of [...spans].sort((a, b) => (a.first < b.first ? -1 : 1))) {
    const before = result.at(-1);
    if (!before || span.first > before.last + 1n) result.push(span);
    else if (span.last > before.last) result[result.length - 1] = { first: before.first, last: span.last };
  }
  return result;
}

/** Whether all addresses of the ranges are in others. Those of IPv4 are among those of IPv6, as `ipMatcher` has it. */
export function rangesWithin(ranges: readonly string[], others: readonly string[]): boolean {
  const allowed = joined(others.map(spanOf).filter((span) => span !== undefined));
  return ranges
    .map(spanOf)
    .every((span) => span && allowed.some(({ first, last }) => first <= span.first && span.last <= last));
}
