import type { Party } from '../domain/e-invoice/e-invoice.js';
import type { Inspection } from './inspect.js';
import { MAX_RESULTS } from './represent-inspection.js';

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escape = (text: string | null | undefined): string =>
  (text ?? '').replace(/[&<>"']/g, (char) => ESCAPES[char] ?? char);

const STYLE =
  'body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1a2233}' +
  'table{border-collapse:collapse;width:100%;margin:1rem 0}th,td{padding:.4rem .6rem;border-bottom:1px solid #d5dae3;text-align:left;vertical-align:top}' +
  '.n{text-align:right;font-variant-numeric:tabular-nums}.parties{display:flex;gap:3rem}.fatal{color:#a11}.warning{color:#850}h1{font-size:1.5rem}';

const HEADERS =
  '<table><tr><th>#</th><th>Leistung · item</th><th class="n">Menge · quantity</th><th class="n">Preis · price</th>' +
  '<th class="n">USt. · VAT</th><th class="n">Netto · net</th></tr>';

const row = (cells: readonly (string | null)[], numbers = 0): string =>
  `<tr>${cells.map((cell, i) => `<td${i >= cells.length - numbers ? ' class="n"' : ''}>${escape(cell)}</td>`).join('')}</tr>`;

const party = (title: string, { name, address, vatId, endpoint }: Party): string =>
  `<div><h2>${title}</h2><p>${[
    name,
    address.line1,
    address.line2,
    [address.zip, address.city].filter(Boolean).join(' '),
    address.country,
    vatId,
    endpoint?.id,
  ]
    .filter(Boolean)
    .map((line) => escape(line))
    .join('<br>')}</p></div>`;

/** Somebody's e-invoice as a page for people, in German and English at once. */
export function invoicePage({ syntax, profile, findings, invoice }: Inspection): string {
  const results = findings
    .slice(0, MAX_RESULTS)
    .map(
      ({ ruleId, severity, location, de, en }) =>
        `<li class="${severity}"><b>${escape(ruleId)}</b> (${escape(location)}): ${escape(de)} <i>${escape(en)}</i></li>`,
    )
    .join('');
  const head = `<!doctype html><html lang="de"><head><meta charset="utf-8"><title>E-Rechnung</title><style>${STYLE}</style></head><body>`;
  const checked = `<section><h2>Prüfung · Check</h2>${results ? `<ul>${results}</ul>` : '<p>Keine Beanstandung · nothing found</p>'}</section>`;
  if (!invoice) return `${head}<h1>Keine E-Rechnung · no e-invoice</h1>${checked}</body></html>`;
  const { totals, currency, lines, taxes } = invoice;
  const sums = [
    ['Netto · net', totals.net],
    ['Umsatzsteuer · VAT', totals.tax],
    ['Brutto · gross', totals.gross],
    ['Bereits gezahlt · prepaid', totals.prepaid],
    ['Zu zahlen · amount due', totals.payable],
  ] as const;
  return (
    `${head}<h1>${escape(invoice.number)} · ${escape(invoice.issueDate)}</h1>` +
    `<p>${escape(syntax?.toUpperCase())} · ${escape(profile)} · ${escape(invoice.typeCode)}` +
    `${invoice.dueDate ? ` · fällig / due ${escape(invoice.dueDate)}` : ''}</p>` +
    `<div class="parties">${party('Verkäufer · seller', invoice.seller)}${party('Käufer · buyer', invoice.buyer)}</div>` +
    HEADERS +
    lines
      .map((line) =>
        row(
          [
            line.id,
            [line.name, line.description].filter(Boolean).join(' – '),
            line.quantity,
            line.baseQuantity ? `${line.price} / ${line.baseQuantity}` : line.price,
            `${line.category} ${line.rate ?? ''}`,
            line.net,
          ],
          4,
        ),
      )
      .join('') +
    `</table><table>${taxes.map((tax) => row([`${tax.category} ${tax.rate ?? ''} % ${tax.reason ?? ''}`, tax.base, tax.tax], 2)).join('')}</table>` +
    `<table>${sums
      .filter(([, value]) => value !== null)
      .map(([name, value]) => row([name, `${value} ${currency}`], 1))
      .join('')}</table>` +
    `${checked}</body></html>`
  );
}
