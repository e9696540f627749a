/** Bounds and decimals of a number that is written as text. */
export interface DecimalLimits {
  /** Zero, the smallest number of its decimals, or the negated `max`. */
  readonly min?: string;
  /** A power of ten, or nines. */
  readonly max?: string;
  readonly scale?: number;
}

const MAX_DIGITS = 30;
const MAX_DECIMALS = 20;

/** Limits of a decimal as a regular expression, so that a document can state them. Needless zeros are left out of it. */
export function decimalPattern({ min, max, scale = MAX_DECIMALS }: DecimalLimits): string {
  const decimals = `(\\.\\d{1,${scale}})?`;
  const absolute = max === undefined ? `\\d{1,${MAX_DIGITS}}${decimals}` : upTo(max, decimals);
  if (min === undefined || min.startsWith('-')) return `^-?${absolute}$`;
  return Number(min) === 0 ? `^${absolute}$` : `^(?!0*(\\.0*)?$)${absolute}$`;
}

function upTo(max: string, decimals: string): string {
  if (/^9+$/.test(max)) return `\\d{1,${max.length}}${decimals}`;
  return `(\\d{1,${max.length - 1}}${decimals}|${max}(\\.0{1,${MAX_DECIMALS}})?)`;
}
