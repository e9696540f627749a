import { isCurrency } from '@kontor/money';
import type { EInvoice, Line, Period } from '../e-invoice.js';
import type { Report } from './finding.js';

/** `[rule, term, field, German name, English name, present]`. */
type Needed = readonly [string, string, string, string, string, boolean];

const TYPE_CODES = new Set(
  ['71', '80', '82', '84', '102', '130', '202', '203', '204', '211', '218', '219', '295', '325']
    .concat([
      '326',
      '331',
      '380',
      '381',
      '382',
      '383',
      '384',
      '385',
      '386',
      '387',
      '388',
      '389',
      '390',
      '393',
      '394',
      '395',
    ])
    .concat([
      '396',
      '420',
      '456',
      '457',
      '458',
      '527',
      '532',
      '553',
      '575',
      '623',
      '633',
      '751',
      '780',
      '817',
      '870',
      '875',
    ])
    .concat(['876', '877', '935']),
);

/** What every invoice says. @see EN 16931-1, BR-01 to BR-65 */
export function checkRequired(invoice: EInvoice, report: Report): void {
  const { seller, buyer, payment } = invoice;
  const needed: Needed[] = [
    ['BR-01', 'BT-24', 'eInvoiceType', 'Die Spezifikation', 'The specification', has(invoice.specification)],
    ['BR-02', 'BT-1', 'number', 'Die Rechnungsnummer', 'The number', has(invoice.number)],
    ['BR-03', 'BT-2', 'finalizationDate', 'Das Rechnungsdatum', 'The day of issue', isDay(invoice.issueDate)],
    ['BR-04', 'BT-3', 'type', 'Die Rechnungsart', 'The type code', has(invoice.typeCode)],
    ['BR-05', 'BT-5', 'currencyCode', 'Die Währung', 'The currency', has(invoice.currency)],
    ['BR-06', 'BT-27', 'seller.company', 'Der Name des Verkäufers', 'The name of the seller', has(seller.name)],
    ['BR-07', 'BT-44', 'invoiceAddress', 'Der Name des Käufers', 'The name of the buyer', has(buyer.name)],
    [
      'BR-09',
      'BT-40',
      'seller.address.countryCode',
      'Das Land des Verkäufers',
      "The seller's country",
      has(seller.address.country),
    ],
    [
      'BR-11',
      'BT-55',
      'invoiceAddress.countryCode',
      'Das Land des Käufers',
      "The buyer's country",
      has(buyer.address.country),
    ],
    ['BR-16', 'BG-25', 'positions', 'Mindestens eine Position', 'At least one line', invoice.lines.length > 0],
    [
      'BR-CO-18',
      'BG-23',
      'positions',
      'Mindestens eine Steuerzeile',
      'At least one row of VAT',
      invoice.taxes.length > 0,
    ],
    [
      'BR-CO-26',
      'BT-29',
      'seller.vatId',
      'Eine Kennung des Verkäufers (USt-IdNr., Steuernummer oder Registernummer)',
      'An identifier of the seller (VAT id, tax or register number)',
      has(seller.vatId) || has(seller.id) || has(seller.legalId),
    ],
  ];
  for (const [ruleId, location, field, de, en, present] of needed)
    if (!present) report({ ruleId, location, field, de: `${de} fehlt.`, en: `${en} is missing.` });
  invoice.lines.forEach((line, index) => checkLine(line, index, report));
  checkPeriod(invoice.period, { ruleId: 'BR-29', location: 'BG-14', field: 'positions' }, report);
  checkCodes(invoice, report);
  if (payment && (payment.code === '30' || payment.code === '58') && !payment.account)
    report({
      ruleId: 'BR-61',
      location: 'BT-84',
      field: 'seller.bankAccount.iban',
      de: 'Für eine Überweisung fehlt das Konto.',
      en: 'A transfer needs the account to pay to.',
    });
  if (Number(invoice.totals.payable) > 0 && !invoice.dueDate && !invoice.paymentTerms)
    report({
      ruleId: 'BR-CO-25',
      location: 'BT-9',
      field: 'dueDate',
      de: 'Bei offenem Betrag fehlt die Fälligkeit.',
      en: 'An open amount needs a due date or terms of payment.',
    });
  if (invoice.taxCurrency && invoice.totals.taxInTaxCurrency === null)
    report({
      ruleId: 'BR-53',
      location: 'BT-111',
      field: 'currencyCode',
      de: 'Die Steuer in der Buchwährung fehlt.',
      en: 'The VAT in the accounting currency is missing.',
    });
}

const has = (text: string | null): boolean => text !== null && text.trim() !== '';
const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));

function checkLine(line: Line, index: number, report: Report): void {
  const needed: Needed[] = [
    ['BR-21', 'BT-126', '', 'Die Nummer der Position', 'The id of the line', has(line.id)],
    ['BR-22', 'BT-129', '.quantity', 'Die Menge', 'The quantity', has(line.quantity)],
    ['BR-23', 'BT-130', '.unit', 'Die Einheit', 'The unit', has(line.unit)],
    ['BR-24', 'BT-131', '', 'Der Nettobetrag', 'The net amount', has(line.net)],
    ['BR-25', 'BT-153', '.name', 'Die Bezeichnung', 'The name', has(line.name)],
    ['BR-26', 'BT-146', '.unitPrice', 'Der Preis', 'The price', has(line.price)],
    ['BR-CO-04', 'BT-151', '.taxGroup', 'Die Steuerkategorie', 'The VAT category', has(line.category)],
  ];
  const location = `BG-25[${index + 1}]`;
  const field = `positions[${index}]`;
  for (const [ruleId, term, part, de, en, present] of needed)
    if (!present)
      report({
        ruleId,
        location: `${location}/${term}`,
        field: field + part,
        de: `${de} fehlt in Position ${index + 1}.`,
        en: `${en} is missing in line ${index + 1}.`,
      });
  if (Number(line.price) < 0)
    report({
      ruleId: 'BR-27',
      location: `${location}/BT-146`,
      field: `${field}.unitPrice`,
      de: 'Preise dürfen nicht negativ sein.',
      en: 'Prices must not be negative.',
    });
  checkPeriod(line.period, { ruleId: 'BR-30', location: `${location}/BG-26`, field: `${field}.serviceDateTo` }, report);
}

function checkPeriod(
  period: Period | null,
  at: { ruleId: string; location: string; field: string },
  report: Report,
): void {
  if (period?.from && period.to && period.to < period.from)
    report({ ...at, de: 'Der Zeitraum endet, bevor er beginnt.', en: 'The period ends before it begins.' });
}

function checkCodes(invoice: EInvoice, report: Report): void {
  if (has(invoice.typeCode) && !TYPE_CODES.has(invoice.typeCode))
    report({
      ruleId: 'BR-CL-01',
      location: 'BT-3',
      field: 'type',
      de: `${invoice.typeCode} ist keine Rechnungsart.`,
      en: `${invoice.typeCode} is no type of invoice.`,
    });
  for (const [ruleId, location, code] of [
    ['BR-CL-04', 'BT-5', invoice.currency],
    ['BR-CL-05', 'BT-6', invoice.taxCurrency],
  ] as const)
    if (code && !isCurrency(code))
      report({
        ruleId,
        location,
        field: 'currencyCode',
        de: `${code} ist keine Währung.`,
        en: `${code} is no currency.`,
      });
  for (const [location, field, { address }] of [
    ['BT-40', 'seller.address.countryCode', invoice.seller],
    ['BT-55', 'invoiceAddress.countryCode', invoice.buyer],
  ] as const)
    if (has(address.country) && !isCountry(address.country))
      report({
        ruleId: 'BR-CL-14',
        location,
        field,
        de: `${address.country} ist kein Land.`,
        en: `${address.country} is no country.`,
      });
  for (const [location, field, { vatId }] of [
    ['BT-31', 'seller.vatId', invoice.seller],
    ['BT-48', 'customer.vatId', invoice.buyer],
  ] as const)
    if (has(vatId) && !isCountry(vatId?.slice(0, 2) ?? '') && !['EL', 'XI', '1A'].includes(vatId?.slice(0, 2) ?? ''))
      report({
        ruleId: 'BR-CO-09',
        location,
        field,
        de: `Die USt-IdNr. ${vatId} beginnt nicht mit einem Länderkürzel.`,
        en: `The VAT id ${vatId} does not begin with the code of a country.`,
      });
}

const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
const known = new Map<string, boolean>();
function isCountry(code: string): boolean {
  let found = known.get(code);
  if (found === undefined) {
    found =
      /^[A-Z]{2}$/.test(code) &&
      !['EU', 'EL', 'UK', 'ZZ', 'UN', 'EZ', 'XA', 'XB'].includes(code) &&
      regions.of(code) !== undefined;
    if (known.size < 1000) known.set(code, found);
  }
  return found;
}
