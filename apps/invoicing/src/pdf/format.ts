import { exponentOf } from '@kontor/money';

export type Language = 'de' | 'en';

const SYMBOLS: Readonly<Record<string, string>> = { EUR: '€', USD: '$', GBP: '£', JPY: '¥' };
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const group = (digits: string, separator: string): string => digits.replace(/\B(?=(\d{3})+$)/g, separator);

/** A decimal text (`-1234.5`) with the language's separators; at least `minScale` decimals. */
export function formatNumber(text: string, language: Language, minScale = 0): string {
  const negative = text.startsWith('-');
  const [whole = '0', fraction = ''] = (negative ? text.slice(1) : text).split('.');
  const decimals = fraction.replace(/0+$/, '').padEnd(minScale, '0');
  const grouped = group(whole, language === 'de' ? '.' : ',');
  return `${negative ? '−' : ''}${grouped}${decimals ? (language === 'de' ? ',' : '.') + decimals : ''}`;
}

/** Integer `amount × 10^-scale` as a decimal text. */
function decimalText(amount: number, scale: number): string {
  const digits = String(Math.abs(amount)).padStart(scale + 1, '0');
  const sign = amount < 0 ? '-' : '';
  return scale === 0 ? sign + digits : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

const withCurrency = (figure: string, currencyCode: string, language: Language): string => {
  const symbol = SYMBOLS[currencyCode];
  if (language === 'de') return `${figure} ${symbol ?? currencyCode}`;
  if (!symbol) return `${currencyCode} ${figure}`;
  return figure.startsWith('−') ? `−${symbol}${figure.slice(1)}` : `${symbol}${figure}`;
};

/** Minor units as people write them: `1.234,50 €`, `€1,234.50`, `CHF 12.00`. */
export function formatAmount(amountMinor: number, currencyCode: string, language: Language): string {
  const exponent = exponentOf(currencyCode);
  return withCurrency(formatNumber(decimalText(amountMinor, exponent), language, exponent), currencyCode, language);
}

/** A unit price with as many decimals as it needs, at least the currency's: `0,00012 €`. */
export function formatUnitPrice(
  price: { readonly amount: number; readonly precision: number },
  currencyCode: string,
  language: Language,
): string {
  return withCurrency(
    formatNumber(decimalText(price.amount, price.precision), language, exponentOf(currencyCode)),
    currencyCode,
    language,
  );
}

/** `19 %`, `19%`. */
export const formatPercent = (rate: string, language: Language): string =>
  `${formatNumber(rate, language)}${language === 'de' ? ' %' : '%'}`;

/** A calendar day: `28.02.2026`, `28 Feb 2026`. */
export function formatDay(day: string, language: Language): string {
  const [year = '', month = '', date = ''] = day.split('-');
  return language === 'de'
    ? `${date}.${month}.${year}`
    : `${Number(date)} ${MONTHS[Number(month) - 1] ?? month} ${year}`;
}

/** Both days included: `01.02.2026 – 28.02.2026`; a single day alone. */
export const formatPeriod = (period: { readonly from: string; readonly to: string }, language: Language): string =>
  period.from === period.to
    ? formatDay(period.from, language)
    : `${formatDay(period.from, language)} – ${formatDay(period.to, language)}`;

/** An IBAN in groups of four. */
export const formatIban = (iban: string): string => iban.replace(/\s/g, '').replace(/(.{4})(?=.)/g, '$1 ');

/** A country's name in the document's language; the code itself when it is not known. */
export function countryName(code: string, language: Language): string {
  const names = countryNames[language];
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
}
const countryNames = {
  de: new Intl.DisplayNames('de', { type: 'region' }),
  en: new Intl.DisplayNames('en', { type: 'region' }),
};
