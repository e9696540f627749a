import type { Share } from './share.js';

/** Free units of a part of an interval, as whole units: a part of one counts in full, in favour of the customer. */
export const freeUnitsOf = (freeUnits: number, { days, of }: Share): number =>
  Number((BigInt(freeUnits) * BigInt(days) + BigInt(of) - 1n) / BigInt(of));
