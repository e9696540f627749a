import type { UsageSource } from '@kontor/contracts';
import {
  decimal,
  type Decimal,
  exponentOf,
  multiplyDecimal,
  scaledInteger,
  toMinor,
  unitPriceDecimal,
} from '@kontor/money';
import { LEGAL_NOTES, legalNoteText, type TaxSubtotal } from '@kontor/tax';
import type {
  DocumentSnapshot,
  ServicePeriod,
  SnapshotGroup,
  SnapshotPosition,
  SnapshotTax,
} from './document-snapshot.js';
import { localDay } from '../invoices/local-day.js';
import { bankAccountOf, paymentBlock } from './payment-block.js';
import type { SnapshotInput } from './snapshot-input.js';
import { snapshotClaim } from './snapshot-claim.js';
import type { AppliedRate } from '../invoices/invoice.js';
import { inDocumentOrder, type PricedPosition, type ShownPrice, shownPriceOf } from '../invoices/position.js';
import { nameLines, personOf } from '../invoices/recipient.js';
import type { InvoicingSettings, Seller } from '../invoices/settings.js';

/** Freezes all that a document's file shows but for its texts. A draft's may be incomplete; a finalized one's was checked before. */
export function freezeSnapshot(input: SnapshotInput): Omit<DocumentSnapshot, 'texts'> {
  const { invoice, customer, settings, positions } = input;
  const zone = customer.timeZone;
  return {
    version: 1,
    type: invoice.type,
    number: invoice.number,
    draft: input.draft,
    language: invoice.language,
    currencyCode: invoice.currencyCode,
    issueDate: input.day,
    dueDate: invoice.dueAt && localDay(invoice.dueAt, zone),
    servicePeriod: periodOverAll(positions, zone),
    seller: sellerOf(settings.seller),
    ...brandOf(settings),
    recipient: recipientOf(input),
    references: referencesOf(positions, invoice.leitwegId, settings.buyerReference),
    positions: positionTree(input),
    groups: groupsOf(positions),
    taxes: input.taxes.map((tax) => taxRow(tax, invoice.language)),
    totals: {
      netBeforeDiscountAmount: Number(invoice.netMinor + invoice.discountMinor),
      discountAmount: Number(invoice.discountMinor),
      netAmount: Number(invoice.netMinor),
      taxAmount: Number(invoice.taxMinor),
      grossAmount: Number(invoice.grossMinor),
      ...(invoice.payDate && invoice.grossMinor > 0n && { prepaidAmount: Number(invoice.grossMinor) }),
    },
    payment: paymentBlock(input),
    ...(input.claim && { claim: snapshotClaim(input.claim, zone) }),
    referencedDocument: input.referenced.length === 1 ? (input.referenced[0] ?? null) : null,
    referencedDocuments: input.referenced,
    exchangeRates: input.exchangeRates.map((rate) => ({
      sourceCurrencyCode: rate.sourceCurrencyCode,
      destinationCurrencyCode: rate.destinationCurrencyCode,
      rate: rate.exchangeRate,
      date: rate.exchangeRateDate.slice(0, 10),
    })),
    smallBusiness: settings.smallBusiness,
    eInvoiceType: invoice.eInvoiceType,
    eInvoice: input.eInvoice,
  };
}

/** How documents of these settings look. */
export function brandOf({ checkout }: Pick<InvoicingSettings, 'checkout'>): Pick<DocumentSnapshot, 'brand'> {
  const { logo, accentColor } = checkout;
  return logo === null && accentColor === null ? {} : { brand: { logo, accentColor } };
}

/** The seller as documents name it. */
export function sellerOf(seller: Seller): DocumentSnapshot['seller'] {
  const { address, contact } = seller;
  return {
    companyName: seller.company ?? '',
    address: { ...address, countryCode: address.countryCode ?? 'DE' },
    vatId: seller.vatId,
    taxNumber: seller.taxNumber,
    registrationLines: (seller.registration ?? '').split('\n').filter((line) => line.trim() !== ''),
    contact: {
      name: contact?.name ?? null,
      email: contact?.email ?? null,
      phone: contact?.phone ?? null,
      website: null,
    },
    bankAccount: bankAccountOf(seller),
    creditorIdentifier: seller.creditorIdentifier,
  };
}

function recipientOf({ customer, address, vatId }: SnapshotInput): DocumentSnapshot['recipient'] {
  const customerName =
    customer.companyName ??
    ([customer.firstName, customer.lastName].filter(Boolean).join(' ') || customer.customerNumber);
  const lines = address ? nameLines(address) : [];
  return {
    customerId: customer.id,
    customerNumber: customer.customerNumber,
    nameLines: lines.length > 0 ? lines : [customerName],
    companyName: address?.companyName ?? customer.companyName,
    personName: address ? personOf(address) : null,
    address: {
      street: address?.street ?? null,
      houseNumber: address?.houseNumber ?? null,
      addition: address?.addition ?? null,
      zip: address?.zip ?? null,
      city: address?.city ?? null,
      countryCode: address?.countryCode ?? customer.countryCode,
    },
    vatId,
    costCentre: address?.costCentre ?? null,
    email: customer.invoiceEmail ?? customer.email,
  };
}

function referencesOf(
  positions: readonly PricedPosition[],
  leitwegId: string | null,
  buyerReference: string | null,
): DocumentSnapshot['references'] {
  const joined = (values: readonly (string | null | undefined)[]): string | null =>
    [...new Set(values.filter(Boolean))].join(', ') || null;
  return {
    subscriptionNumbers: joined(positions.map((p) => p.subscription?.number)),
    poNumber: joined(positions.map((p) => p.subscription?.poNumber)),
    leitwegId,
    buyerReference,
  };
}

function groupsOf(positions: readonly PricedPosition[]): SnapshotGroup[] {
  const groups = new Map<string, SnapshotGroup>();
  for (const { groupId: id, groupName, groupRanking } of positions) {
    if (id !== null && !groups.has(id)) groups.set(id, { id, name: groupName ?? '', ranking: groupRanking ?? 0 });
  }
  return [...groups.values()].sort((a, b) => a.ranking - b.ranking);
}

function positionTree(input: SnapshotInput): SnapshotPosition[] {
  const ordered = inDocumentOrder(input.positions);
  const tops = ordered.filter((p) => p.parentId === null);
  return tops.map((top, index) => {
    const label = String(index + 1);
    const children = ordered.filter((p) => p.parentId === top.id);
    return snapshotPosition(
      top,
      label,
      input,
      children.map((child, i) => snapshotPosition(child, `${label}.${i + 1}`, input, [])),
    );
  });
}

function snapshotPosition(
  p: PricedPosition,
  label: string,
  input: SnapshotInput,
  children: SnapshotPosition[],
): SnapshotPosition {
  const netAfterDiscount = p.netMinor - p.discountMinor;
  const shown = shownPriceOf(p, input.invoice.currencyCode);
  return {
    id: p.id,
    label,
    groupId: p.groupId,
    name: p.name,
    description: p.description,
    quantity: shown.quantity,
    unitName: p.unitName,
    unitPrice: shownPrice(shown, p.netMinor, input),
    netAmount: Number(p.netMinor),
    discountAmount: Number(p.discountMinor),
    discountPercentage: shown.discountPercentage,
    netAfterDiscount: Number(netAfterDiscount),
    taxAmount: Number(p.taxMinor),
    grossAmount: Number(p.grossMinor),
    taxCategory: p.taxCategory ?? 'S',
    taxRate: p.taxRate,
    servicePeriod: periodOf(p.serviceFrom, p.serviceLast, input.customer.timeZone),
    ...(p.usage && { usage: usageOf(p.usage, input.customer.timeZone) }),
    children,
  };
}

function usageOf(
  { metricName, quantity, unit, group, from, to }: UsageSource,
  zone: string,
): SnapshotPosition['usage'] {
  const last = new Date(Date.parse(to) - 1);
  return {
    metric: metricName,
    quantity,
    unit,
    group,
    period: { from: localDay(new Date(from), zone), to: localDay(last, zone) },
  };
}

/** Decimals beyond the currency's that a converted unit price is shown with. */
const CONVERTED_EXTRA_DECIMALS = 4;

/** A document that credits an older line has two rates: that one's and today's. */
function makesNet(
  { exchangeRate, destinationCurrencyCode }: AppliedRate,
  { quantity, price }: { readonly quantity: string; readonly price: Decimal },
  netMinor: bigint,
): boolean {
  const major = multiplyDecimal(multiplyDecimal(decimal(quantity), price), decimal(exchangeRate));
  return toMinor(major, destinationCurrencyCode, 'half_up') === netMinor;
}

function shownPrice(
  { quantity, priceAmount, pricePrecision, priceCurrencyCode }: ShownPrice,
  netMinor: bigint,
  { invoice, exchangeRates }: SnapshotInput,
): SnapshotPosition['unitPrice'] {
  if (priceCurrencyCode === invoice.currencyCode) return { amount: Number(priceAmount), precision: pricePrecision };
  const price = unitPriceDecimal({ amount: priceAmount, precision: pricePrecision, currencyCode: priceCurrencyCode });
  const rates = exchangeRates.filter((rate) => rate.sourceCurrencyCode === priceCurrencyCode);
  const rate = (rates.find((known) => makesNet(known, { quantity, price }, netMinor)) ?? rates[0])?.exchangeRate ?? '0';
  const precision = exponentOf(invoice.currencyCode) + CONVERTED_EXTRA_DECIMALS;
  return { amount: Number(scaledInteger(multiplyDecimal(price, decimal(rate)), precision, 'half_up')), precision };
}

const taxRow = (tax: TaxSubtotal, language: string): SnapshotTax => ({
  category: tax.category,
  rate: tax.rate,
  baseAmount: Number(tax.baseMinor),
  taxAmount: Number(tax.taxMinor),
  legalNote: tax.noteKey && legalNoteText(tax.noteKey, language),
  exemptionCode: tax.noteKey && LEGAL_NOTES[tax.noteKey].exemptionCode,
});

function periodOf(from: Date | null, last: Date | null, zone: string): ServicePeriod | null {
  const start = from ?? last;
  const end = last ?? from;
  return start && end ? { from: localDay(start, zone), to: localDay(end, zone) } : null;
}

function periodOverAll(positions: readonly PricedPosition[], zone: string): ServicePeriod | null {
  const periods = positions
    .map((p) => periodOf(p.serviceFrom, p.serviceLast, zone))
    .filter((p): p is ServicePeriod => p !== null);
  if (periods.length === 0) return null;
  const days = periods.map((p) => p.from).sort();
  return {
    from: days[0] as string,
    to: periods
      .map((p) => p.to)
      .sort()
      .at(-1) as string,
  };
}
