/** `half_up`: half away from zero (commercial rounding, the rule of this system); `up` away from zero; `down` toward zero. */
export type Rounding = 'half_up' | 'up' | 'down';

/** The quotient of two integers rounded to an integer. `denominator` must not be 0. */
export function divideRounded(numerator: bigint, denominator: bigint, rounding: Rounding): bigint {
  if (denominator < 0n) {
    numerator = -numerator;
    denominator = -denominator;
  }
  const negative = numerator < 0n;
  const n = negative ? -numerator : numerator;
  let quotient = n / denominator;
  const rest = n % denominator;
  if (rest !== 0n && (rounding === 'up' || (rounding === 'half_up' && rest * 2n >= denominator))) quotient += 1n;
  return negative ? -quotient : quotient;
}
