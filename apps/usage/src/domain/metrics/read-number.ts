import { type Decimal, decimalOf } from '@kontor/money';

const NUMBER = /^([+-]?)(\d{1,60})(?:\.(\d{1,60}))?(?:[eE]([+-]?\d{1,3}))?$/;
/** Digits before and after the point that a value may have. */
const MAX_WHOLE = 30;
const MAX_FRACTION = 40;

/**
 * The exact number that a property's value is: a JSON number as it is written shortest, or a text such as `"12.50"` or
 * `"1e3"`. Undefined for everything else (texts, booleans, lists, nothing) and for numbers with more than 30 digits
 * before or 40 after the point: such events are skipped.
 */
export function readNumber(value: unknown): Decimal | undefined {
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value)) return { coefficient: BigInt(value), scale: 0 };
    return Number.isFinite(value) ? parse(String(value)) : undefined;
  }
  return typeof value === 'string' && value.length <= 130 ? parse(value.trim()) : undefined;
}

function parse(text: string): Decimal | undefined {
  const match = NUMBER.exec(text);
  if (!match) return undefined;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const digits = BigInt(whole + fraction);
  if (digits === 0n) return { coefficient: 0n, scale: 0 };
  const scale = fraction.length - Number(exponent);
  if (scale < -MAX_WHOLE || scale > 160) return undefined;
  const value = scale < 0 ? decimalOf(digits * 10n ** BigInt(-scale)) : decimalOf(digits, scale);
  if (value.scale > MAX_FRACTION || value.coefficient.toString().length - value.scale > MAX_WHOLE) return undefined;
  return sign === '-' ? { coefficient: -value.coefficient, scale: value.scale } : value;
}
