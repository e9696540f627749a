import type { LookupAddress, LookupOptions } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isNamedHere, isAllowedAddress, type Reach } from './public-address.js';

/** Of one question to one name server; asked twice, the second time for twice as long. */
const TIMEOUT_MS = 1_500;
const TRIES = 2;

/** The resolved address is not one that may be connected to. */
export class AddressRefused extends Error {
  constructor() {
    super('address not allowed');
    this.name = 'AddressRefused';
  }
}

/** No name server knows an address of the name, or none answers. */
class NameUnknown extends Error {
  readonly code = 'ENOTFOUND';
}

type Done = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

/** What a name is asked of; each name of one of its own, so that servers that one name makes silent are not avoided for others. */
type MakeResolver = () => Pick<Resolver, 'resolve4' | 'resolve6'>;

const resolverOfThisMachine: MakeResolver = () => new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });

/**
 * A `lookup` that answers only when every address of the name is allowed: connecting uses exactly what was checked. Names are asked of the name
 * servers without a thread: what Node does by default waits in a few threads of the process, and the names of one
 * tenant whose servers never answer would keep those of all others waiting.
 */
export const guardedLookup =
  (reach: Reach, makeResolver: MakeResolver = resolverOfThisMachine) =>
  (hostname: string, options: LookupOptions, done: Done): void => {
    void addressesOf(hostname, makeResolver).then(
      (found) => {
        if (!found.every(({ address }) => isAllowedAddress(address, reach))) return done(new AddressRefused(), []);
        const fitting = found.filter(({ family }) => !options.family || family === familyOf(options.family));
        const [first] = fitting;
        if (!first) done(new NameUnknown(hostname), []);
        else if (options.all) done(null, fitting);
        else done(null, first.address, first.family);
      },
      (error: Error) => done(error, []),
    );
  };

const familyOf = (family: number | string): number => (family === 'IPv6' || family === 6 ? 6 : 4);

/** @throws NameUnknown */
async function addressesOf(hostname: string, makeResolver: MakeResolver): Promise<LookupAddress[]> {
  if (isNamedHere(hostname.replace(/\.$/, '')))
    return [
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ];
  const resolver = makeResolver();
  const [four, six] = await Promise.all([
    resolver.resolve4(hostname).catch(() => []),
    resolver.resolve6(hostname).catch(() => []),
  ]);
  if (four.length + six.length === 0) throw new NameUnknown(hostname);
  return [...four.map((address) => ({ address, family: 4 })), ...six.map((address) => ({ address, family: 6 }))];
}
