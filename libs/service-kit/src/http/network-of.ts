const GROUPS_OF_A_NETWORK = 4;
/** Some proxies note the port too: a new one with each connection. */
const WITH_PORT = /^(?:(\d+\.\d+\.\d+\.\d+)|\[([^\]]+)\])(?::\d+)?$/;
const MAPPED = /^(?:::|(?:0{1,4}:){5})ffff:(?:(\d+\.\d+\.\d+\.\d+)|([\da-f]{1,4}):([\da-f]{1,4}))$/i;

/** Of what a proxy wrote: without a port, and one of IPv4 as itself. */
export function plainAddress(written: string): string {
  const [, v4, v6] = WITH_PORT.exec(written) ?? [];
  const address = v4 ?? v6 ?? written;
  const [isMapped, dotted, high = '', low = ''] = MAPPED.exec(address) ?? [];
  if (!isMapped) return address;
  return dotted ?? Buffer.from(high.padStart(4, '0') + low.padStart(4, '0'), 'hex').join('.');
}

/** What is counted as one address: of IPv6 the network of 64 bits, because whoever has one address has all of those. */
export function networkOf(written: string): string {
  const address = plainAddress(written);
  if (!address.includes(':')) return address;
  const [front = '', back] = address.split('%')[0]!.split('::');
  const groups = front === '' ? [] : front.split(':');
  // What `::` stands for are zeros; a network that ends before it is filled up with them.
  if (back !== undefined) {
    const after = back === '' ? [] : back.split(':');
    while (groups.length + after.length < 8) groups.push('0');
    groups.push(...after);
  }
  const network = groups.slice(0, GROUPS_OF_A_NETWORK).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
}
