import type { MeasuredPrice, SaleTerm } from '@kontor/contracts';
import type { MoneyJson } from '@kontor/money';
import { type Html, markup } from './html.js';
import type { PageLanguage } from './layout.js';
import { amountText, intervalText, quantityText } from './money.js';
import { termText } from './term-text.js';

export interface PriceTable {
  readonly lines: readonly {
    readonly name: string;
    readonly description: string | null;
    readonly quantity: string;
    readonly netAmount: MoneyJson;
  }[];
  readonly totals: {
    readonly net: MoneyJson;
    readonly tax: MoneyJson;
    readonly gross: MoneyJson;
    readonly discount: MoneyJson;
  } | null;
  readonly recurring: readonly { readonly interval: string; readonly gross: MoneyJson }[];
  readonly measured: readonly Pick<MeasuredPrice, 'name' | 'interval' | 'price'>[];
  readonly term: SaleTerm | null;
}

export interface PriceWords {
  readonly what: string;
  readonly quantity: string;
  readonly amount: string;
  readonly discount: string;
  readonly net: string;
  readonly tax: string;
  readonly total: string;
  readonly then: (interval: string) => string;
  readonly gross: string;
  readonly byUse: (interval: string) => string;
}

/** `Telefonie, nach Verbrauch monatlich (netto): 0,25 EUR je Anruf`. */
export const measuredText = (
  { name, interval, price }: PriceTable['measured'][number],
  t: Pick<PriceWords, 'byUse'>,
  language: PageLanguage,
): string => `${name}, ${t.byUse(intervalText(interval, language))}: ${price}`;

/** Lines, sums, what comes again, what is billed by use, and for how long. */
export function priceTable(
  { lines, totals, recurring, measured, term }: PriceTable,
  t: PriceWords,
  language: PageLanguage,
): Html {
  const sum = (label: string, amount: MoneyJson, isTotal = false): Html =>
    markup`<tr${isTotal && markup` class="total"`}><th scope="row" colspan="2">${label}</th><td class="amount">${amountText(amount, language)}</td></tr>`;
  const bound = termText(term, language);
  const minus = totals && { ...totals.discount, amount: -totals.discount.amount };
  return markup`<table><thead><tr><th scope="col">${t.what}</th><th scope="col" class="amount">${t.quantity}</th>
<th scope="col" class="amount">${t.amount}</th></tr></thead>
<tbody>${lines.map(
    (line) =>
      markup`<tr><td>${line.name}${line.description && markup`<br><span class="hint">${line.description}</span>`}</td>
<td class="amount">${quantityText(line.quantity, language)}</td>
<td class="amount">${amountText(line.netAmount, language)}</td></tr>`,
  )}</tbody>
${
  totals &&
  markup`<tfoot>${minus !== null && minus.amount !== 0 && sum(t.discount, minus)}
${sum(t.net, totals.net)}${sum(t.tax, totals.tax)}${sum(t.total, totals.gross, true)}</tfoot>`
}</table>
${recurring.map(
  ({ interval, gross }) =>
    markup`<p class="hint">${t.then(intervalText(interval, language))}: <strong>${amountText(gross, language)}</strong> ${t.gross}</p>`,
)}${measured.map((entry) => markup`<p class="hint">${measuredText(entry, t, language)}</p>`)}${bound && markup`<p class="hint">${bound}</p>`}`;
}
