import { exponentOf } from '@kontor/money';
import type { Language } from '../../domain/breakdowns/breakdown-document.js';

const LOCALES = { de: 'de-DE', en: 'en-GB' } as const;
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as it may stand in HTML, in quotes or between tags. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);

/** Decimals as people of a language write them; exact, whatever their length. */
export class Format {
  private readonly locale: string;
  private readonly numbers: Intl.NumberFormat;

  constructor(
    language: Language,
    private readonly timeZone: string,
  ) {
    this.locale = LOCALES[language];
    this.numbers = new Intl.NumberFormat(this.locale, { maximumFractionDigits: 20 });
  }

  number(decimal: string): string {
    return this.numbers.format(decimal as Intl.StringNumericLiteral);
  }

  /** `precision`: decimals of `amount`; absent: the currency's. */
  money({
    amount,
    currencyCode,
    precision,
  }: {
    amount: number;
    currencyCode: string;
    precision?: number | undefined;
  }): string {
    const decimals = exponentOf(currencyCode);
    const style = {
      style: 'currency',
      currency: currencyCode,
      minimumFractionDigits: decimals,
      maximumFractionDigits: Math.max(decimals, precision ?? decimals),
    } as const;
    const text = shifted(amount, precision ?? decimals);
    return new Intl.NumberFormat(this.locale, style).format(text as Intl.StringNumericLiteral);
  }

  day(iso: string): string {
    return this.date(iso, { day: '2-digit', month: '2-digit', year: 'numeric' });
  }

  /** Without the year, for the axis of a chart. */
  shortDay(iso: string): string {
    return this.date(iso, { day: 'numeric', month: 'short' });
  }

  month(iso: string): string {
    return this.date(iso, { month: 'long', year: 'numeric' });
  }

  /** A half-open period with its last day. */
  period(from: string, to: string): string {
    const last = new Date(Math.max(Date.parse(from), Date.parse(to) - 1)).toISOString();
    return `${this.day(from)} – ${this.day(last)}`;
  }

  private date(iso: string, options: Intl.DateTimeFormatOptions): string {
    return new Intl.DateTimeFormat(this.locale, { ...options, timeZone: this.timeZone }).format(new Date(iso));
  }
}

function shifted(amount: number, decimals: number): string {
  const digits = String(Math.abs(amount)).padStart(decimals + 1, '0');
  const text = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  return amount < 0 ? `-${text}` : text;
}
