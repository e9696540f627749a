import { decimalOf, exponentOf, formatDecimal, isCurrency } from '@kontor/money';
import type { EInvoice } from '../e-invoice.js';
import { hundredths, orZero, type Report, sumOf } from './finding.js';

/** That the sums of an invoice are those of its parts. @see EN 16931-1, BR-CO-10 to BR-CO-17, BR-DEC */
export function checkTotals(invoice: EInvoice, report: Report): void {
  const { totals, lines, allowances, taxes } = invoice;
  const of = (text: string | null): bigint => orZero(hundredths(text));
  const partsOf = (charge: boolean): bigint =>
    sumOf(allowances, (part) => (part.charge === charge ? of(part.amount) : 0n));
  const equal = (
    ruleId: string,
    location: string,
    stated: bigint | null,
    expected: bigint,
    de: string,
    en: string,
  ): void => {
    if (stated === expected) return;
    const [is, due] = [stated, expected].map((value) => (value === null ? '–' : formatDecimal(decimalOf(value, 2), 2)));
    report({
      ruleId,
      location,
      field: 'positions',
      de: `${de}: ${is} statt ${due}.`,
      en: `${en}: ${is} instead of ${due}.`,
    });
  };
  equal(
    'BR-CO-10',
    'BT-106',
    hundredths(totals.lines),
    sumOf(lines, (line) => of(line.net)),
    'Die Summe der Positionen stimmt nicht',
    'The sum of the lines is wrong',
  );
  equal(
    'BR-CO-11',
    'BT-107',
    of(totals.allowances),
    partsOf(false),
    'Die Summe der Abschläge stimmt nicht',
    'The sum of the allowances is wrong',
  );
  equal(
    'BR-CO-12',
    'BT-108',
    of(totals.charges),
    partsOf(true),
    'Die Summe der Zuschläge stimmt nicht',
    'The sum of the charges is wrong',
  );
  equal(
    'BR-CO-13',
    'BT-109',
    hundredths(totals.net),
    of(totals.lines) - of(totals.allowances) + of(totals.charges),
    'Der Nettobetrag stimmt nicht',
    'The net amount is wrong',
  );
  equal(
    'BR-CO-14',
    'BT-110',
    of(totals.tax),
    sumOf(taxes, (row) => of(row.tax)),
    'Die Steuersumme stimmt nicht',
    'The sum of the VAT is wrong',
  );
  equal(
    'BR-CO-15',
    'BT-112',
    hundredths(totals.gross),
    of(totals.net) + of(totals.tax),
    'Der Bruttobetrag stimmt nicht',
    'The gross amount is wrong',
  );
  equal(
    'BR-CO-16',
    'BT-115',
    hundredths(totals.payable),
    of(totals.gross) - of(totals.prepaid) + of(totals.rounding),
    'Der Zahlbetrag stimmt nicht',
    'The amount due is wrong',
  );
  checkDecimals(invoice, report);
  checkLineNets(invoice, report);
}

/** Amounts have two decimals at most, so a currency with more cannot be expressed. */
function checkDecimals({ totals, lines, taxes, allowances }: EInvoice, report: Report): void {
  const stated: readonly (readonly [string, string, string | null])[] = [
    ['BR-DEC-09', 'BT-106', totals.lines],
    ['BR-DEC-12', 'BT-109', totals.net],
    ['BR-DEC-13', 'BT-110', totals.tax],
    ['BR-DEC-14', 'BT-112', totals.gross],
    ['BR-DEC-16', 'BT-113', totals.prepaid],
    ['BR-DEC-18', 'BT-115', totals.payable],
    ...taxes.map((row) => ['BR-DEC-20', 'BT-117', row.tax] as const),
    ...lines.map((line, i) => ['BR-DEC-23', `BG-25[${i + 1}]/BT-131`, line.net] as const),
    ...allowances.map((part) => ['BR-DEC-01', 'BT-92', part.amount] as const),
  ];
  for (const [ruleId, location, text] of stated)
    if (text !== null && /\.\d{3,}$/.test(text))
      return report({
        ruleId,
        location,
        field: 'currencyCode',
        de: `${text} hat mehr als zwei Nachkommastellen.`,
        en: `${text} has more than two decimals.`,
      });
}

/** The official rules do not look at it. */
function checkLineNets({ lines, currency }: EInvoice, report: Report): void {
  const unit = isCurrency(currency) ? 10 ** -exponentOf(currency) : 0.01;
  lines.forEach((line, index) => {
    const made = (Number(line.quantity) / Number(line.baseQuantity ?? '1')) * Number(line.price);
    const net = line.allowances.reduce((sum, part) => sum + (part.charge ? 1 : -1) * Number(part.amount), made);
    if (Math.abs(net - Number(line.net)) > unit * 0.501 + Math.abs(net) * 1e-9)
      report({
        ruleId: 'LINE-NET',
        severity: 'warning',
        location: `BG-25[${index + 1}]/BT-131`,
        field: `positions[${index}].quantity`,
        de: `Menge × Preis ergibt ${net.toFixed(2)}, nicht ${line.net}.`,
        en: `Quantity × price is ${net.toFixed(2)}, not ${line.net}.`,
      });
  });
}
