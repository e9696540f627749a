import { divideRounded, type Rounding } from './rounding.js';

/** An exact decimal number: `coefficient × 10^-scale`. Quantities, rates, percentages and fine unit prices. */
export interface Decimal {
  readonly coefficient: bigint;
  readonly scale: number;
}

const PATTERN = /^(-?)(\d{1,30})(?:\.(\d{1,20}))?$/;

/** True for a plain decimal without exponent: `12`, `-0.5`, `23.09`. */
export const isDecimal = (text: unknown): text is string => typeof text === 'string' && PATTERN.test(text);

/** @throws RangeError when `text` is no plain decimal. */
export function decimal(text: string): Decimal {
  const match = PATTERN.exec(text);
  if (!match) throw new RangeError(`"${text}" is not a decimal`);
  const fraction = match[3] ?? '';
  const coefficient = BigInt(match[2] + fraction);
  return normalize({ coefficient: match[1] ? -coefficient : coefficient, scale: fraction.length });
}

/** Integer as a decimal. */
export const decimalOf = (value: bigint | number, scale = 0): Decimal =>
  normalize({ coefficient: BigInt(value), scale });

function normalize(value: Decimal): Decimal {
  let { coefficient, scale } = value;
  while (scale > 0 && coefficient % 10n === 0n) {
    coefficient /= 10n;
    scale -= 1;
  }
  return { coefficient, scale };
}

const pow10 = (n: number): bigint => 10n ** BigInt(n);

const align = (a: Decimal, b: Decimal): [bigint, bigint, number] => {
  const scale = Math.max(a.scale, b.scale);
  return [a.coefficient * pow10(scale - a.scale), b.coefficient * pow10(scale - b.scale), scale];
};

export function addDecimal(a: Decimal, b: Decimal): Decimal {
  const [x, y, scale] = align(a, b);
  return normalize({ coefficient: x + y, scale });
}

export function subtractDecimal(a: Decimal, b: Decimal): Decimal {
  const [x, y, scale] = align(a, b);
  return normalize({ coefficient: x - y, scale });
}

export const multiplyDecimal = (a: Decimal, b: Decimal): Decimal =>
  normalize({ coefficient: a.coefficient * b.coefficient, scale: a.scale + b.scale });

/** Quotient with `scale` decimals. */
export function divideDecimal(a: Decimal, b: Decimal, scale: number, rounding: Rounding): Decimal {
  const numerator = a.coefficient * pow10(scale + b.scale);
  return normalize({ coefficient: divideRounded(numerator, b.coefficient * pow10(a.scale), rounding), scale });
}

/** -1, 0 or 1. */
export function compareDecimal(a: Decimal, b: Decimal): number {
  const [x, y] = align(a, b);
  return x < y ? -1 : x > y ? 1 : 0;
}

/** Rounds to `scale` decimals. */
export const roundDecimal = (value: Decimal, scale: number, rounding: Rounding): Decimal =>
  scale >= value.scale
    ? value
    : normalize({ coefficient: divideRounded(value.coefficient, pow10(value.scale - scale), rounding), scale });

/** Plain text without exponent and without trailing zeros, with at least `minScale` decimals. */
export function formatDecimal(value: Decimal, minScale = 0): string {
  const scale = Math.max(value.scale, minScale);
  const digits = (value.coefficient < 0n ? -value.coefficient : value.coefficient) * pow10(scale - value.scale);
  const text = digits.toString().padStart(scale + 1, '0');
  const sign = value.coefficient < 0n ? '-' : '';
  return scale === 0 ? sign + text : `${sign}${text.slice(0, -scale)}.${text.slice(-scale)}`;
}

/** The number of currency minor units (or any 10^-`scale` units) that a decimal is, rounded once. */
export const scaledInteger = (value: Decimal, scale: number, rounding: Rounding): bigint =>
  value.scale <= scale
    ? value.coefficient * pow10(scale - value.scale)
    : divideRounded(value.coefficient, pow10(value.scale - scale), rounding);
