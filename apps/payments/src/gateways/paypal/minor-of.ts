import { isCurrency, parseMajor } from '@kontor/money';

/** `{ value: "12.50", currency_code: "EUR" }` in minor units, as decimal text; null when it cannot be read. */
export function minorOf(
  amount: { readonly value?: unknown; readonly currency_code?: unknown } | null | undefined,
): string | null {
  const currencyCode = String(amount?.currency_code ?? '');
  const text = String(amount?.value ?? '').replace('-', '');
  return isCurrency(currencyCode) ? (parseMajor(text, currencyCode)?.amountMinor.toString() ?? null) : null;
}
