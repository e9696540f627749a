import {
  decimal,
  decimalOf,
  exponentOf,
  formatDecimal,
  multiplyDecimal,
  roundDecimal,
  subtractDecimal,
} from '@kontor/money';
import type { DocumentSnapshot, SnapshotPosition, SnapshotTax } from '../finalization/document-snapshot.js';
import { type Allowance, EN16931, type EInvoice, type Line, PEPPOL_PROCESS, XRECHNUNG } from './e-invoice.js';
import { minorText } from './minor-text.js';
import { buyerOf, deliveryOf, sellerOf } from './parties.js';
import { paymentOf } from './payment-instructions.js';
import { plain } from './plain-text.js';
import { lineNote, texts } from './texts.js';
import { unitCode } from './units.js';
import { usageAttachments } from './usage-attachment.js';

/** Writes amounts of a document: a credit note states as positive amounts what it returns. */
interface Amounts {
  readonly of: (minor: number) => string;
  readonly quantity: (text: string) => string;
  readonly negates: boolean;
}

function amountsOf(snapshot: DocumentSnapshot): Amounts {
  const negates = snapshot.eInvoice?.typeCode === '381';
  const scale = exponentOf(snapshot.currencyCode);
  return {
    negates,
    of: (minor) => minorText(negates ? -minor : minor, scale),
    quantity: (text) => (negates ? negated(text) : text),
  };
}

/** A document's frozen content as an e-invoice. */
export function eInvoiceOf(snapshot: DocumentSnapshot): EInvoice {
  const amounts = amountsOf(snapshot);
  const { references, totals, dueDate } = snapshot;
  const outside = snapshot.taxes.some((tax) => tax.category === 'O');
  const payable = totals.grossAmount - (totals.prepaidAmount ?? 0);
  const allowed = snapshot.positions.flatMap((position) => [position, ...position.children]);
  return {
    specification: references.leitwegId ? XRECHNUNG : EN16931,
    process: references.leitwegId ? PEPPOL_PROCESS : null,
    number: plain(snapshot.number) ?? '',
    issueDate: snapshot.issueDate,
    typeCode: snapshot.eInvoice?.typeCode ?? '380',
    currency: snapshot.currencyCode,
    taxCurrency: accountingOf(snapshot)?.currencyCode ?? null,
    dueDate: snapshot.eInvoice?.typeCode === '380' ? dueDate : null,
    buyerReference: references.leitwegId ?? plain(references.buyerReference),
    contract: plain(references.subscriptionNumbers),
    order: plain(references.poNumber),
    buyerAccount: plain(snapshot.recipient.costCentre),
    paymentTerms: termsOf(snapshot, payable),
    notes: notesOf(snapshot),
    preceding: precedingOf(snapshot),
    seller: sellerOf(snapshot, outside),
    buyer: buyerOf(snapshot, outside),
    delivery: deliveryOf(snapshot),
    period: snapshot.servicePeriod,
    payment: paymentOf(snapshot, payable),
    allowances: [],
    totals: {
      lines: amounts.of(totals.netAmount),
      allowances: null,
      charges: null,
      net: amounts.of(totals.netAmount),
      tax: amounts.of(totals.taxAmount),
      taxInTaxCurrency: accountingTax(snapshot, amounts),
      gross: amounts.of(totals.grossAmount),
      prepaid: totals.prepaidAmount ? amounts.of(totals.prepaidAmount) : null,
      rounding: null,
      payable: amounts.of(payable),
    },
    taxes: snapshot.taxes.map((tax) => ({
      base: amounts.of(tax.baseAmount),
      tax: amounts.of(tax.taxAmount),
      category: tax.category,
      rate: tax.rate,
      ...reasonOf(tax),
    })),
    attachments: usageAttachments(snapshot),
    lines: allowed.map((position) => lineOf(position, snapshot, amounts)),
  };
}

function termsOf({ dueDate, language }: DocumentSnapshot, payable: number): string | null {
  if (payable < 0) return texts[language].settled;
  return payable > 0 && dueDate ? texts[language].payableBy(dueDate) : null;
}

const reasonOf = ({ category, legalNote, exemptionCode }: SnapshotTax) =>
  category === 'S' || category === 'Z'
    ? { reason: null, reasonCode: null }
    : { reason: plain(legalNote), reasonCode: exemptionCode };

/** The tax in the seller's currency; left out where it rounds to 0 there, which has no sign (PEPPOL-EN16931-R055). */
const accountingOf = ({ eInvoice }: DocumentSnapshot) => (eInvoice?.accounting?.taxAmount ? eInvoice.accounting : null);

function accountingTax(snapshot: DocumentSnapshot, amounts: Amounts): string | null {
  const accounting = accountingOf(snapshot);
  if (!accounting) return null;
  return minorText(amounts.negates ? -accounting.taxAmount : accounting.taxAmount, exponentOf(accounting.currencyCode));
}

function notesOf(snapshot: DocumentSnapshot): string[] {
  const { language, exchangeRates } = snapshot;
  const rates = exchangeRates.map((rate) => texts[language].converted(rate));
  const accounting = accountingOf(snapshot);
  if (accounting) {
    const { currencyCode, rate, date } = accounting;
    rates.push(
      texts[language].converted({
        sourceCurrencyCode: snapshot.currencyCode,
        destinationCurrencyCode: currencyCode,
        rate,
        date,
      }),
    );
  }
  const other = inCii(snapshot) ? snapshot.referencedDocuments?.slice(1) : undefined;
  if (other && other.length > 0) rates.push(texts[language].alsoAbout(other.map((document) => document.number)));
  return [...new Set(rates)];
}

/** The XML Schema that XRechnung keeps to has room for one preceding invoice; the others are in a note. */
const inCii = (snapshot: DocumentSnapshot): boolean => snapshot.references.leitwegId !== null;

function precedingOf(snapshot: DocumentSnapshot): EInvoice['preceding'] {
  const all = snapshot.referencedDocuments ?? (snapshot.referencedDocument ? [snapshot.referencedDocument] : []);
  return (inCii(snapshot) ? all.slice(0, 1) : all).map(({ number, issueDate }) => ({ number, issueDate }));
}

function lineOf(position: SnapshotPosition, snapshot: DocumentSnapshot, amounts: Amounts): Line {
  const period = position.servicePeriod;
  return {
    id: position.label,
    note: lineNote(position, snapshot),
    unit: unitCode(position.unitName),
    net: amounts.of(position.netAfterDiscount),
    orderLine: null,
    period: period && { from: period.from, to: period.to },
    allowances: position.discountAmount === 0 ? [] : [discountOf(position, snapshot, amounts)],
    ...priceOf(position, snapshot, amounts),
    category: position.taxCategory,
    rate: position.taxCategory === 'O' ? null : position.taxRate,
    name: plain(position.name) ?? '',
    description: plain(position.description),
  };
}

function discountOf(position: SnapshotPosition, snapshot: DocumentSnapshot, amounts: Amounts): Allowance {
  const percentage = makesDiscount(position, snapshot) ? position.discountPercentage : null;
  return {
    charge: false,
    amount: amounts.of(position.discountAmount),
    baseAmount: percentage === null ? null : amounts.of(position.netAmount),
    percentage,
    reason: texts[snapshot.language].discount,
    reasonCode: '95',
  };
}

/** Whether the percentage makes the amount up to two hundredths, which is what PEPPOL-EN16931-R040 allows. */
function makesDiscount(
  { discountPercentage, discountAmount, netAmount }: SnapshotPosition,
  { currencyCode }: DocumentSnapshot,
) {
  if (discountPercentage === null) return false;
  const scale = exponentOf(currencyCode);
  const exact = multiplyDecimal(decimalOf(netAmount, scale + 2), decimal(discountPercentage));
  const { coefficient, scale: places } = subtractDecimal(exact, decimalOf(discountAmount, scale));
  return abs(coefficient) * 100n <= 2n * 10n ** BigInt(places);
}

/** Finer prices are stated for more units. */
const PRICE_DECIMALS = 4;

/**
 * Quantity and price that make the line's amount. Prices are never negative: the sign is the quantity's. Where quantity
 * × price is another amount (tiers, free units, part of a period), the amount is the price of the whole quantity.
 */
function priceOf(position: SnapshotPosition, { currencyCode }: DocumentSnapshot, amounts: Amounts) {
  const scale = exponentOf(currencyCode);
  const { amount, precision } = position.unitPrice;
  const flip = amount < 0;
  const stated = flip ? negated(position.quantity) : position.quantity;
  const price = { coefficient: BigInt(Math.abs(amount)), scale: precision };
  const made = roundDecimal(multiplyDecimal(decimal(stated), price), scale, 'half_up');
  if (made.coefficient === BigInt(position.netAmount) && made.scale === scale) {
    const fine = Math.max(0, precision - PRICE_DECIMALS);
    return {
      quantity: amounts.quantity(stated),
      price: formatDecimal({ ...price, scale: precision - fine }, Math.min(scale, precision - fine)),
      baseQuantity: fine > 0 ? `1${'0'.repeat(fine)}` : null,
    };
  }
  const size = decimal(position.quantity);
  const positive = position.netAmount >= 0;
  const lot = size.coefficient === 0n ? '1' : formatDecimal({ ...size, coefficient: abs(size.coefficient) });
  return {
    quantity: amounts.quantity(positive ? lot : negated(lot)),
    price: minorText(Math.abs(position.netAmount), scale),
    baseQuantity: lot === '1' ? null : lot,
  };
}

const abs = (value: bigint): bigint => (value < 0n ? -value : value);

function negated(text: string): string {
  if (/^-?0*(\.0*)?$/.test(text)) return '0';
  return text.startsWith('-') ? text.slice(1) : `-${text}`;
}
