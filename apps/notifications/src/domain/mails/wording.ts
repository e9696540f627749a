import type { CustomerState } from '@kontor/contracts';
import { exponentOf, formatMajor, fromMoneyJson, type MoneyJson } from '@kontor/money';

/** The seller as far as mails name it; from the billing settings. */
export interface MailSeller {
  readonly company: string | null;
  readonly contact?: {
    readonly name: string | null;
    readonly email: string | null;
    readonly phone: string | null;
  } | null;
}

export type MailLanguage = 'de' | 'en';

export const languageOf = (language: string): MailLanguage => (language === 'de' ? 'de' : 'en');

/** Making a formatter takes longer than a mail's other words together. */
const amounts = new Map<string, Intl.NumberFormat>();
const days = new Map<string, Intl.DateTimeFormat>();
const moments = new Map<string, Intl.DateTimeFormat>();
/** Time zones that customers may name. */
const MOST_KEPT = 1000;

function kept<Format>(formats: Map<string, Format>, key: string, make: () => Format): Format {
  let format = formats.get(key);
  if (!format) {
    if (formats.size === MOST_KEPT) formats.clear();
    formats.set(key, (format = make()));
  }
  return format;
}

const localeOf = (language: MailLanguage): string => (language === 'de' ? 'de-DE' : 'en-GB');

/** An amount as its reader writes it, exact and with the currency's own decimals. */
export function amountText(money: MoneyJson, language: MailLanguage): string {
  const { currencyCode } = money;
  const format = kept(amounts, `${language} ${currencyCode}`, () => {
    const digits = exponentOf(currencyCode);
    return new Intl.NumberFormat(localeOf(language), {
      style: 'currency',
      currency: currencyCode,
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
  });
  return format.format(formatMajor(fromMoneyJson(money)) as unknown as number);
}

/** A calendar day in the recipient's zone: `14. März 2026`, `14 March 2026`. */
export const dayText = (instant: string, language: MailLanguage, timeZone: string): string =>
  kept(
    days,
    `${language} ${timeZone}`,
    () => new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long', timeZone }),
  ).format(Date.parse(instant));

/** A moment to the second, with the recipient's zone: `2. März 2026 um 10:00:00 MEZ`, `2 March 2026 at 10:00:00 CET`. */
export const momentText = (instant: string, language: MailLanguage, timeZone: string): string =>
  kept(
    moments,
    `${language} ${timeZone}`,
    () => new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long', timeStyle: 'long', timeZone }),
  ).format(Date.parse(instant));

/** How a mail begins. */
export function greetingOf(person: Pick<CustomerState, 'firstName' | 'lastName'>, language: MailLanguage): string {
  const name = [person.firstName, person.lastName].filter(Boolean).join(' ');
  if (language === 'de') return name ? `Guten Tag ${name},` : 'Guten Tag,';
  return name ? `Dear ${name},` : 'Hello,';
}
