import type { CustomerState, InvoiceState } from '@kontor/contracts';
import { exponentOf, formatMajor, fromMoneyJson, type MoneyJson } from '@kontor/money';

/** The seller as far as mails name it; from the billing settings. */
export interface MailSeller {
  readonly company: string | null;
  readonly contact?: { readonly name: string | null; readonly email: string | null; readonly phone: string | null } | null;
}

export type MailLanguage = 'de' | 'en';

/** What the templates may use, all of it text ready to be read. */
export interface InvoiceMailModel {
  readonly language: MailLanguage;
  /** `invoice`, `credit`: which words fit. */
  readonly kind: 'invoice' | 'credit';
  readonly number: string;
  readonly amount: string;
  /** Null when nothing is to be paid. */
  readonly dueDate: string | null;
  readonly paid: boolean;
  readonly greeting: string;
  readonly seller: string;
  readonly contactEmail: string | null;
  readonly contactPhone: string | null;
}

export const languageOf = (language: string): MailLanguage => (language === 'de' ? 'de' : 'en');

/** An amount as its reader writes it, exact and with the currency's own decimals. */
export function amountText(money: MoneyJson, language: MailLanguage): string {
  const digits = exponentOf(money.currencyCode);
  const format = new Intl.NumberFormat(language === 'de' ? 'de-DE' : 'en-GB', {
    style: 'currency',
    currency: money.currencyCode,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return format.format(formatMajor(fromMoneyJson(money)) as unknown as number);
}

/** A calendar day in the recipient's zone: `14. März 2026`, `14 March 2026`. */
export const dayText = (instant: string, language: MailLanguage, timeZone: string): string =>
  new Intl.DateTimeFormat(language === 'de' ? 'de-DE' : 'en-GB', { dateStyle: 'long', timeZone }).format(Date.parse(instant));

/** How a mail begins. */
export function greetingOf(customer: CustomerState, language: MailLanguage): string {
  const name = [customer.firstName, customer.lastName].filter(Boolean).join(' ');
  if (language === 'de') return name ? `Guten Tag ${name},` : 'Guten Tag,';
  return name ? `Dear ${name},` : 'Hello,';
}

export function invoiceMailModel(invoice: InvoiceState, customer: CustomerState, seller: MailSeller | undefined): InvoiceMailModel {
  const language = languageOf(invoice.language);
  const credit = invoice.grossAmount.amount < 0;
  const open = !credit && invoice.unpaidAmount.amount > 0;
  const gross = { ...invoice.grossAmount, amount: Math.abs(invoice.grossAmount.amount) };
  return {
    language,
    kind: credit ? 'credit' : 'invoice',
    number: invoice.number ?? '',
    amount: amountText(gross, language),
    dueDate: open && invoice.dueAt ? dayText(invoice.dueAt, language, customer.timeZone) : null,
    paid: !credit && !open,
    greeting: greetingOf(customer, language),
    seller: seller?.company ?? '',
    contactEmail: seller?.contact?.email ?? null,
    contactPhone: seller?.contact?.phone ?? null,
  };
}
