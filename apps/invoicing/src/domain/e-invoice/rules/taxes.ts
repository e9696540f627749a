import { decimalOf, multiplyDecimal, scaledInteger } from '@kontor/money';
import type { TaxCategory } from '@kontor/tax';
import type { EInvoice, TaxRow } from '../e-invoice.js';
import { exact, hundredths, orZero, type Report, sumOf } from './finding.js';

/** How rules name a category. */
const PREFIX: Readonly<Record<string, string>> = { K: 'IC' };
const ruleOf = (category: string, n: string): string => `BR-${PREFIX[category] ?? category}-${n}`;
const NEEDS_REASON: readonly string[] = ['E', 'AE', 'K', 'G', 'O'];
const KNOWN: readonly string[] = ['S', 'Z', 'E', 'AE', 'K', 'G', 'O', 'L', 'M', 'B'];

/** That each VAT category is used as the law has it. @see EN 16931-1, BR-S, BR-Z, BR-E, BR-AE, BR-IC, BR-G, BR-O */
export function checkTaxes(invoice: EInvoice, report: Report): void {
  const categories = new Set<string>([...invoice.lines, ...invoice.allowances].map((item) => item.category));
  for (const category of categories)
    if (KNOWN.includes(category)) checkParties(category as TaxCategory, invoice, report);
  for (const row of invoice.taxes) checkRow(row, invoice, report);
  for (const category of categories) {
    if (!KNOWN.includes(category))
      report({
        ruleId: 'BR-CL-17',
        location: 'BT-151',
        field: 'positions',
        de: `${category} ist keine Steuerkategorie.`,
        en: `${category} is no VAT category.`,
      });
    else if (!invoice.taxes.some((row) => row.category === category))
      report({
        ruleId: ruleOf(category, '01'),
        location: 'BG-23',
        field: 'positions',
        de: `Zur Steuerkategorie ${category} fehlt die Steuerzeile.`,
        en: `The VAT row of category ${category} is missing.`,
      });
  }
  if (categories.has('O') && categories.size > 1)
    report({
      ruleId: 'BR-O-12',
      location: 'BT-151',
      field: 'positions',
      de: 'Nicht steuerbare Leistungen (O) dürfen nicht mit anderen auf einer Rechnung stehen.',
      en: 'What is outside the scope of VAT (O) stands on an invoice of its own.',
    });
  checkRates(invoice, report);
}

function checkParties(category: TaxCategory, { seller, buyer, delivery, period }: EInvoice, report: Report): void {
  const at = { ruleId: ruleOf(category, '02') };
  if (category === 'O') {
    if (seller.vatId || buyer.vatId)
      report({
        ...at,
        location: 'BT-31',
        field: 'seller.vatId',
        de: 'Nicht steuerbare Leistungen (O) nennen keine USt-IdNr.',
        en: 'What is outside the scope of VAT (O) names no VAT ids.',
      });
    return;
  }
  const needsVatId = category === 'K' || category === 'G';
  if (!seller.vatId && (needsVatId || !seller.taxNumber))
    report({
      ...at,
      location: 'BT-31',
      field: 'seller.vatId',
      de: 'Die USt-IdNr. oder Steuernummer des Verkäufers fehlt.',
      en: 'The VAT id or tax number of the seller is missing.',
    });
  if ((category === 'AE' && !buyer.vatId && !buyer.legalId) || (category === 'K' && !buyer.vatId))
    report({
      ...at,
      location: 'BT-48',
      field: 'customer.vatId',
      de: 'Die USt-IdNr. des Käufers fehlt.',
      en: 'The VAT id of the buyer is missing.',
    });
  if (category !== 'K') return;
  if (!delivery?.date && !period?.from && !period?.to)
    report({
      ruleId: 'BR-IC-11',
      location: 'BT-72',
      field: 'positions',
      de: 'Der Tag der Lieferung fehlt.',
      en: 'The day of delivery is missing.',
    });
  if (!delivery?.address?.country)
    report({
      ruleId: 'BR-IC-12',
      location: 'BT-80',
      field: 'invoiceAddress.countryCode',
      de: 'Das Land der Lieferung fehlt.',
      en: 'The country of delivery is missing.',
    });
}

function checkRow(row: TaxRow, invoice: EInvoice, report: Report): void {
  const { category, rate } = row;
  const base = orZero(hundredths(row.base));
  const sameRate = (other: string | null): boolean => category !== 'S' || Number(other) === Number(rate);
  const expected =
    sumOf(invoice.lines, (line) =>
      line.category === category && sameRate(line.rate) ? orZero(hundredths(line.net)) : 0n,
    ) +
    sumOf(invoice.allowances, (part) =>
      part.category === category && sameRate(part.rate)
        ? (part.charge ? 1n : -1n) * orZero(hundredths(part.amount))
        : 0n,
    );
  const twins = invoice.taxes.filter((other) => other.category === category && sameRate(other.rate));
  if (sumOf(twins, (other) => orZero(hundredths(other.base))) !== expected && twins[0] === row)
    report({
      ruleId: ruleOf(category, '08'),
      location: 'BT-116',
      field: 'positions',
      de: `Die Bemessungsgrundlage ${row.base} zu ${category} ist nicht die Summe ihrer Positionen.`,
      en: `The base ${row.base} of ${category} is not the sum of its lines.`,
    });
  const percent = exact(rate ?? '0');
  const due = percent && scaledInteger(multiplyDecimal(decimalOf(base, 4), percent), 2, 'half_up');
  const off = due === null ? 0n : orZero(hundredths(row.tax)) - due;
  // The official rule has a slack of less than one unit of the currency.
  if (off >= 100n || off <= -100n)
    report({
      ruleId: 'BR-CO-17',
      location: 'BT-117',
      field: 'positions',
      de: `Die Steuer ${row.tax} ist nicht ${rate ?? '0'} % von ${row.base}.`,
      en: `The VAT ${row.tax} is not ${rate ?? '0'}% of ${row.base}.`,
    });
  if (category !== 'S' && hundredths(row.tax) !== 0n && KNOWN.slice(1, 7).includes(category))
    report({
      ruleId: ruleOf(category, '09'),
      location: 'BT-117',
      field: 'positions',
      de: `Die Kategorie ${category} trägt keine Steuer.`,
      en: `Category ${category} carries no VAT.`,
    });
  const reasoned = Boolean(row.reason || row.reasonCode);
  if (NEEDS_REASON.includes(category) !== reasoned && KNOWN.slice(0, 7).includes(category))
    report({
      ruleId: ruleOf(category, '10'),
      location: 'BT-120',
      field: 'positions',
      de: reasoned
        ? `Die Kategorie ${category} nennt keinen Befreiungsgrund.`
        : `Zur Kategorie ${category} fehlt der Grund der Befreiung.`,
      en: reasoned
        ? `Category ${category} has no reason of exemption.`
        : `The reason of exemption of category ${category} is missing.`,
    });
}

function checkRates(invoice: EInvoice, report: Report): void {
  invoice.lines.forEach(({ category, rate }, index) => {
    const wrong =
      category === 'S'
        ? !(Number(rate) > 0)
        : category === 'O'
          ? rate !== null
          : KNOWN.slice(1, 6).includes(category) && Number(rate ?? Number.NaN) !== 0;
    if (wrong)
      report({
        ruleId: ruleOf(category, '05'),
        location: `BG-25[${index + 1}]/BT-152`,
        field: `positions[${index}].taxGroup`,
        de: `Der Steuersatz ${rate ?? ''} passt nicht zur Kategorie ${category}.`,
        en: `The rate ${rate ?? ''} does not fit category ${category}.`,
      });
  });
}
