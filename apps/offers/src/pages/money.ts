import { exponentOf, type MoneyJson, type UnitPriceJson } from '@kontor/money';
import type { PageLanguage } from './layout.js';

const LOCALES = { de: 'de-DE', en: 'en-GB' } as const;

/** `1.234,50 €`, with the decimals of ISO 4217. */
export function amountText({ amount, currencyCode }: MoneyJson, language: PageLanguage): string {
  const digits = exponentOf(currencyCode);
  return new Intl.NumberFormat(LOCALES[language], {
    style: 'currency',
    currency: currencyCode,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(amount / 10 ** digits);
}

/** `0,00012 €`: as many decimals as the price has. */
export function unitPriceText({ amount, currencyCode, precision }: UnitPriceJson, language: PageLanguage): string {
  const digits = precision ?? exponentOf(currencyCode);
  return new Intl.NumberFormat(LOCALES[language], {
    style: 'currency',
    currency: currencyCode,
    minimumFractionDigits: Math.min(digits, exponentOf(currencyCode)),
    maximumFractionDigits: digits,
  }).format(amount / 10 ** digits);
}

export const quantityText = (quantity: string, language: PageLanguage): string =>
  new Intl.NumberFormat(LOCALES[language], { maximumFractionDigits: 9 }).format(Number(quantity));

export const dayText = (at: Date, language: PageLanguage, timeZone: string): string =>
  new Intl.DateTimeFormat(LOCALES[language], { dateStyle: 'long', timeZone }).format(at);

const UNITS = {
  de: { D: ['täglich', 'alle # Tage'], M: ['monatlich', 'alle # Monate'], Y: ['jährlich', 'alle # Jahre'] },
  en: { D: ['daily', 'every # days'], M: ['monthly', 'every # months'], Y: ['yearly', 'every # years'] },
} as const;

/** `1M` → monthly. */
export function intervalText(interval: string, language: PageLanguage): string {
  const match = /^(\d+)([DMY])$/.exec(interval);
  if (!match) return interval;
  const [once, many] = UNITS[language][match[2] as 'D' | 'M' | 'Y'];
  return match[1] === '1' ? once : many.replace('#', match[1]!);
}
