import { isCurrency, parseMajor } from '@kontor/money';

/** `{ value: "12.50", currency_code: "EUR" }` in minor units, as decimal text; null when it cannot be read. */
export function minorOf(
  amount: { readonly value?: unknown; readonly currency_code?: unknown } | null | undefined,
): string | null {
  const currencyCode = String(amount?.currency_code ?? '');
  const value = Number(amount?.value);
  if (!isCurrency(currencyCode) || !Number.isFinite(value)) return null;
  return parseMajor(Math.abs(value), currencyCode)?.amountMinor.toString() ?? null;
}
