import { BlockList, isIP } from 'node:net';

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

/** Finds out whether addresses are in one of the ranges. One of IPv4 that is written as IPv6 is meant as itself. */
export function ipMatcher(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const range of ranges.map(rangeOf)) if (range) list.addSubnet(range.address, range.bits, range.family);
  return (address) => {
    const plain = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
    const version = isIP(plain);
    return version !== 0 && list.check(plain, version === 4 ? 'ipv4' : 'ipv6');
  };
}
