import { exponentOf, isCurrency } from '@kontor/money';

/**
 * Currencies of which Stripe's smallest unit is not that of ISO 4217, by its number of decimals: 500 of ISK is 5 krónur
 * there, and 500 of MGA is 500 ariary.
 * @see https://docs.stripe.com/currencies#special-cases
 */
const DECIMALS: ReadonlyMap<string, number> = new Map([
  ['ISK', 2],
  ['UGX', 2],
  ['MGA', 0],
]);

/** By how many digits an amount is longer there than here. */
function shiftOf(currencyCode: string): number {
  const decimals = DECIMALS.get(currencyCode);
  return decimals === undefined ? 0 : decimals - exponentOf(currencyCode);
}

/** Minor units as Stripe counts them; null where it has no unit that is small enough. */
export function stripeAmount(amountMinor: bigint, currencyCode: string): bigint | null {
  const shift = shiftOf(currencyCode);
  if (shift >= 0) return amountMinor * 10n ** BigInt(shift);
  const unit = 10n ** BigInt(-shift);
  return amountMinor % unit === 0n ? amountMinor / unit : null;
}

/** What Stripe says, in minor units. Without a currency that is known, as it is. */
export function minorOfStripe(amount: number, currency: unknown): bigint {
  const currencyCode = String(currency ?? '').toUpperCase();
  const shift = isCurrency(currencyCode) ? shiftOf(currencyCode) : 0;
  return shift >= 0 ? BigInt(amount) / 10n ** BigInt(shift) : BigInt(amount) * 10n ** BigInt(-shift);
}
