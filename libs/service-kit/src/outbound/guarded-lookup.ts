import { lookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { isAllowedAddress, type Reach } from './public-address.js';

/** The resolved address is not one that may be connected to. */
export class AddressRefused extends Error {
  constructor() {
    super('address not allowed');
    this.name = 'AddressRefused';
  }
}

type Done = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void;

/** A `lookup` that answers only when every address of the name is allowed: connecting uses exactly what was checked. */
export const guardedLookup =
  (reach: Reach) =>
  (hostname: string, options: LookupOptions, done: Done): void => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      const addresses = found as unknown as LookupAddress[];
      if (error) done(error, []);
      else if (addresses.length === 0 || !addresses.every(({ address }) => isAllowedAddress(address, reach)))
        done(new AddressRefused(), []);
      else if (options.all) done(null, addresses);
      else done(null, addresses[0]!.address, addresses[0]!.family);
    });
  };
