import { exponentOf } from './currency.js';
import {
  type Decimal,
  decimal,
  decimalOf,
  formatDecimal,
  isDecimal,
  multiplyDecimal,
  scaledInteger,
} from './decimal.js';
import type { Rounding } from './rounding.js';

/** An exact amount: integer minor units of an ISO 4217 currency. */
export interface Money {
  readonly amountMinor: bigint;
  readonly currencyCode: string;
}

/** Money as the API shows it: `{ "amount": 11900, "currencyCode": "EUR" }`. */
export interface MoneyJson {
  amount: number;
  currencyCode: string;
}

/** A price per unit that may be finer than the minor unit: `amount × 10^-precision` of the currency. */
export interface UnitPrice {
  readonly amount: bigint;
  readonly precision: number;
  readonly currencyCode: string;
}

export interface UnitPriceJson extends MoneyJson {
  precision?: number;
}

export const money = (amountMinor: bigint, currencyCode: string): Money => ({ amountMinor, currencyCode });

export const zero = (currencyCode: string): Money => ({ amountMinor: 0n, currencyCode });

const sameCurrency = (a: Money, b: Money): void => {
  if (a.currencyCode !== b.currencyCode) throw new RangeError(`cannot mix ${a.currencyCode} and ${b.currencyCode}`);
};

/** @throws RangeError when the currencies differ. */
export function addMoney(a: Money, b: Money): Money {
  sameCurrency(a, b);
  return { amountMinor: a.amountMinor + b.amountMinor, currencyCode: a.currencyCode };
}

/** @throws RangeError when the currencies differ. */
export function subtractMoney(a: Money, b: Money): Money {
  sameCurrency(a, b);
  return { amountMinor: a.amountMinor - b.amountMinor, currencyCode: a.currencyCode };
}

export const negateMoney = (a: Money): Money => ({ amountMinor: -a.amountMinor, currencyCode: a.currencyCode });

/** @throws RangeError when a currency differs. */
export const sumMoney = (amounts: readonly Money[], currencyCode: string): Money =>
  amounts.reduce(addMoney, zero(currencyCode));

/** True when JSON numbers can carry the amount exactly (|amount| ≤ 2^53 − 1). */
export const isSafeAmount = (amountMinor: bigint): boolean =>
  amountMinor <= BigInt(Number.MAX_SAFE_INTEGER) && amountMinor >= BigInt(Number.MIN_SAFE_INTEGER);

/**
 * True when a JSON number in major units can only mean this amount. From 70 trillion EUR on, two amounts are one number: what was sent
 * may be another one as soon as it is read.
 */
export function isExactInMajor(value: Money): boolean {
  if (!isSafeAmount(value.amountMinor)) return false;
  const isSame = (other: bigint): boolean => toMajorNumber({ ...value, amountMinor: other }) === toMajorNumber(value);
  return !isSame(value.amountMinor - 1n) && !isSame(value.amountMinor + 1n);
}

/** @throws RangeError beyond the safe integer range. */
export function toMoneyJson(value: Money): MoneyJson {
  if (!isSafeAmount(value.amountMinor)) throw new RangeError('amount beyond the safe integer range');
  return { amount: Number(value.amountMinor), currencyCode: value.currencyCode };
}

export const fromMoneyJson = (json: MoneyJson): Money => money(BigInt(json.amount), json.currencyCode);

/** Major units (`119.00` EUR) as minor units, rounded once. */
export const toMinor = (value: Decimal, currencyCode: string, rounding: Rounding): bigint =>
  scaledInteger(value, exponentOf(currencyCode), rounding);

/**
 * Reads an amount in major units (a JSON number) without loss.
 * Returns undefined when it is no finite decimal or has more decimals than the currency.
 */
export function parseMajor(value: string | number, currencyCode: string): Money | undefined {
  const text = typeof value === 'number' ? plainNumber(value) : value;
  if (text === undefined || !isDecimal(text)) return undefined;
  const exact = decimal(text);
  if (exact.scale > exponentOf(currencyCode)) return undefined;
  return money(toMinor(exact, currencyCode, 'half_up'), currencyCode);
}

/** A JSON number's shortest decimal text without exponent; undefined where it has none. */
function plainNumber(value: number): string | undefined {
  if (!Number.isFinite(value)) return undefined;
  const text = String(value);
  if (!/e/i.test(text)) return text;
  const fixed = value.toFixed(20).replace(/\.?0+$/, '');
  return Number(fixed) === value ? fixed : undefined;
}

/** Major units as plain text with the currency's decimals: `119.00`. */
export const formatMajor = (value: Money): string =>
  formatDecimal(decimalOf(value.amountMinor, exponentOf(value.currencyCode)), exponentOf(value.currencyCode));

/** Major units as a JSON number (wallet rules); exact for what {@link isExactInMajor} holds of. */
export const toMajorNumber = (value: Money): number => Number(formatMajor(value));

/** The exact price of one unit in major units. */
export const unitPriceDecimal = (price: UnitPrice): Decimal => decimalOf(price.amount, price.precision);

/** `quantity × price`, exact, in major units; round it once with `toMinor`. */
export const extend = (quantity: Decimal, price: UnitPrice): Decimal =>
  multiplyDecimal(quantity, unitPriceDecimal(price));

export const fromUnitPriceJson = (
  json: { amount: number; precision?: number | null },
  currencyCode: string,
): UnitPrice => ({
  amount: BigInt(json.amount),
  precision: json.precision ?? exponentOf(currencyCode),
  currencyCode,
});

/** `precision` is left out where it is the currency's own. */
export const toUnitPriceJson = (price: UnitPrice): UnitPriceJson => ({
  ...toMoneyJson(money(price.amount, price.currencyCode)),
  ...(price.precision === exponentOf(price.currencyCode) ? {} : { precision: price.precision }),
});
