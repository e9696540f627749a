import { decimal, exponentOf } from '@kontor/money';

/** Between which amounts a tax lies, both included; minor units. */
export interface TaxBounds {
  readonly low: bigint;
  readonly high: bigint;
}

/** In hundredths of the currency's unit. */
export const MAX_SLACK = 99n;

/**
 * How far the tax of a rate may be from its exact amount for an e-invoice to state it: less than one unit of the currency.
 * @param slack In hundredths of the currency's unit
 * @see EN 16931 BR-CO-17
 */
export function taxBounds(baseMinor: bigint, rate: string, currencyCode: string, slack = MAX_SLACK): TaxBounds {
  const { coefficient, scale } = decimal(rate);
  const unit = 10n ** BigInt(exponentOf(currencyCode));
  // All is counted in parts of a minor unit, of which so many make one.
  const parts = 100n * 10n ** BigInt(scale) * 100n;
  const exact = baseMinor * coefficient * 100n;
  const slackParts = (slack * unit * parts) / 100n;
  return { low: -divideDown(slackParts - exact, parts), high: divideDown(exact + slackParts, parts) };
}

export const withinBounds = (minor: bigint, { low, high }: TaxBounds): bigint =>
  minor < low ? low : minor > high ? high : minor;

function divideDown(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  return numerator < 0n && quotient * denominator !== numerator ? quotient - 1n : quotient;
}
