import { type Decimal, divideRounded, exponentOf } from '@kontor/money';

/** An exact number of minor units, before its one rounding. The denominator is positive. */
export interface Ratio {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

export const ratio = (numerator: bigint, denominator: bigint): Ratio => ({ numerator, denominator });

/** Major units as an exact number of minor units. */
export const minorRatio = (major: Decimal, currencyCode: string): Ratio =>
  ratio(major.coefficient * 10n ** BigInt(exponentOf(currencyCode)), 10n ** BigInt(major.scale));

export const scaleRatio = (value: Ratio, times: number, of: number): Ratio =>
  ratio(value.numerator * BigInt(times), value.denominator * BigInt(of));

export const atLeast = (value: Ratio, minimum: Ratio): Ratio =>
  value.numerator * minimum.denominator < minimum.numerator * value.denominator ? minimum : value;

/** The one rounding of a line: half away from zero. */
export const roundRatio = (value: Ratio): bigint => divideRounded(value.numerator, value.denominator, 'half_up');
