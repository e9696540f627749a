import type { CustomerState, UsageSource } from '@kontor/contracts';
import { type Day, directDebitDay } from '@kontor/kernel';
import { decimal, exponentOf, multiplyDecimal, scaledInteger, unitPriceDecimal } from '@kontor/money';
import { LEGAL_NOTES, legalNoteText, type TaxSubtotal } from '@kontor/tax';
import type {
  DocumentSnapshot,
  ServicePeriod,
  SnapshotEInvoice,
  SnapshotGroup,
  SnapshotPayment,
  SnapshotPosition,
  SnapshotReference,
  SnapshotTax,
} from './document-snapshot.js';
import type { AppliedRate, Invoice } from '../invoices/invoice.js';
import { localDay } from '../invoices/local-day.js';
import { type FrozenClaim, snapshotClaim } from './snapshot-claim.js';
import { inDocumentOrder, type PricedPosition, shownPriceOf } from '../invoices/position.js';
import { type InvoiceAddress, nameLines, personOf, vatIdOf } from '../invoices/recipient.js';
import type { InvoicingSettings, Seller } from '../invoices/settings.js';

export interface SnapshotInput {
  readonly invoice: Pick<
    Invoice,
    | 'type'
    | 'number'
    | 'language'
    | 'currencyCode'
    | 'netMinor'
    | 'discountMinor'
    | 'taxMinor'
    | 'grossMinor'
    | 'dueAt'
    | 'payDate'
    | 'eInvoiceType'
    | 'leitwegId'
  >;
  readonly draft: boolean;
  readonly day: Day;
  readonly positions: readonly PricedPosition[];
  readonly taxes: readonly TaxSubtotal[];
  readonly exchangeRates: readonly AppliedRate[];
  readonly customer: CustomerState;
  readonly address: InvoiceAddress | null;
  readonly settings: InvoicingSettings;
  /** GET's representation of the method that settles the document; null when none is known. */
  readonly method: Readonly<Record<string, unknown>> | null;
  readonly referenced: readonly SnapshotReference[];
  /** Null: it is issued as no e-invoice. */
  readonly eInvoice: SnapshotEInvoice | null;
  readonly claim?: FrozenClaim | null;
}

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
    recipient: recipientOf(input),
    references: referencesOf(positions, invoice.leitwegId),
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

function sellerOf(seller: Seller): DocumentSnapshot['seller'] {
  const { address, contact, bankAccount } = seller;
  return {
    companyName: seller.company ?? '',
    address: { ...address, countryCode: address.countryCode ?? 'DE' },
    vatId: seller.vatId,
    taxNumber: seller.taxNumber,
    registrationLines: [],
    contact: {
      name: contact?.name ?? null,
      email: contact?.email ?? null,
      phone: contact?.phone ?? null,
      website: null,
    },
    bankAccount: bankAccount?.iban
      ? {
          accountHolder: bankAccount.accountHolder ?? seller.company ?? '',
          iban: bankAccount.iban,
          bic: bankAccount.bic ?? null,
          bankName: bankAccount.bankName ?? null,
        }
      : null,
    creditorIdentifier: seller.creditorIdentifier,
  };
}

function recipientOf({ customer, address }: SnapshotInput): DocumentSnapshot['recipient'] {
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
    vatId: vatIdOf(customer, address),
    costCentre: address?.costCentre ?? null,
    email: customer.invoiceEmail ?? customer.email,
  };
}

function referencesOf(positions: readonly PricedPosition[], leitwegId: string | null): DocumentSnapshot['references'] {
  const joined = (values: readonly (string | null | undefined)[]): string | null =>
    [...new Set(values.filter(Boolean))].join(', ') || null;
  return {
    subscriptionNumbers: joined(positions.map((p) => p.subscription?.number)),
    poNumber: joined(positions.map((p) => p.subscription?.poNumber)),
    leitwegId,
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
    unitPrice: shownPrice({ ...p, ...shown }, input),
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

function shownPrice(p: PricedPosition, { invoice, exchangeRates }: SnapshotInput): SnapshotPosition['unitPrice'] {
  if (p.priceCurrencyCode === invoice.currencyCode)
    return { amount: Number(p.priceAmount), precision: p.pricePrecision };
  const rate = exchangeRates.find((r) => r.sourceCurrencyCode === p.priceCurrencyCode)?.exchangeRate ?? '0';
  const price = unitPriceDecimal({
    amount: p.priceAmount,
    precision: p.pricePrecision,
    currencyCode: p.priceCurrencyCode,
  });
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

/** Naming the invoice and the fee's own document, the bank's line settles both by itself. */
const remittanceOf = ({ invoice, claim }: SnapshotInput): string =>
  [claim?.invoice.number, ...(claim?.earlierNumbers ?? []), !claim || invoice.grossMinor > 0n ? invoice.number : null]
    .filter(Boolean)
    .join(' ');

function paymentBlock(input: SnapshotInput): SnapshotPayment {
  const { invoice, settings } = input;
  if (invoice.grossMinor === 0n && !input.claim) return { kind: 'none' };
  if (invoice.grossMinor < 0n) return { kind: 'credit' };
  const method = usableMethod(input);
  const gateway = method?.['gatewayName'];
  if (gateway === 'sepa_debit' || method?.['type'] === 'sepa_debit') {
    const mandate = (method?.['sepaDebit'] ?? null) as { iban?: string; mandateReference?: string } | null;
    return {
      kind: 'sepa_debit',
      iban: mandate?.iban ?? null,
      mandateReference: mandate?.mandateReference ?? null,
      creditorIdentifier: gateway === 'sepa_debit' ? settings.seller.creditorIdentifier : null,
      debitDate: gateway === 'sepa_debit' ? debitDay(input) : null,
    };
  }
  if (method && gateway !== 'bank_transfer') {
    const card = cardOf(method);
    return { kind: 'collected', label: String(method['name'] ?? gateway), ...(card && { card }) };
  }
  const account = sellerOf(settings.seller).bankAccount;
  if (!account) return { kind: 'none' };
  return {
    kind: 'transfer',
    ...account,
    remittance: remittanceOf(input),
    qrCode: settings.paymentQrCode && invoice.currencyCode === 'EUR',
  };
}

function cardOf(method: Readonly<Record<string, unknown>>): { last4: string; holder: string | null } | null {
  const card = (method['card'] ?? null) as { last4?: string; cardHolder?: string | null } | null;
  return card?.last4 ? { last4: card.last4, holder: card.cardHolder ?? null } : null;
}

/** The method, unless it cannot pay this document: then the recipient has to. A debit by mandate is in euro. */
function usableMethod({ method, invoice }: SnapshotInput): SnapshotInput['method'] {
  if (!method || (method['status'] !== undefined && method['status'] !== 'active')) return null;
  return method['gatewayName'] === 'sepa_debit' && invoice.currencyCode !== 'EUR' ? null : method;
}

/**
 * The document is the notice that SEPA asks for, so it names the day on which payments will have the account debited.
 */
function debitDay({ invoice, customer, settings, day, draft }: SnapshotInput): Day | null {
  if (draft || !invoice.dueAt) return null;
  return directDebitDay({
    dueOn: localDay(invoice.dueAt, customer.timeZone),
    today: day,
    noticeDays: settings.preNotificationDays,
  });
}
