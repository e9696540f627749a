import { invariant, newUlid } from '@kontor/kernel';
import type { DocumentSnapshotRow, MediaRow } from '../db/document.row.js';
import type { DocumentSnapshot } from '../domain/finalization/document-snapshot.js';
import { eInvoiceTypeOf } from '../domain/finalization/e-invoice-terms.js';
import { freezeSnapshot } from '../domain/finalization/freeze-snapshot.js';
import { endOfTerm, localDay } from '../domain/invoices/local-day.js';
import { vatIdOf } from '../domain/invoices/recipient.js';
import type { BilledDocument } from '../domain/pricing/billed-lines.js';
import { hasUsage } from '../domain/usage/usage-breakdown.js';
import { fileOf, xmlFileOf } from '../invoices/represent-invoice.js';
import type { Draft } from '../pricing/draft.js';
import { awaitsPdf } from './awaits-pdf.js';
import { accountingRate, eInvoiceOfDraft } from './e-invoice-of-draft.js';
import { withoutLogo } from './keep-logo.js';
import { type OwnTemplates, textsOf } from './write-texts.js';
import type { InvoiceContext } from '../pricing/invoice-context.js';

/** Fixes what the row of a document shows from now on: its dates, texts, address and status. */
export function freezeContent(draft: Draft, context: InvoiceContext): void {
  const { invoice, positions, customer, address } = draft;
  invariant(customer && address, 'a draft without obstacles has customer and address');
  const settings = context.settingsOf(customer.id);
  const day = localDay(context.now, customer.timeZone);
  const eInvoiceType = eInvoiceTypeOf(invoice, settings);
  const rate = accountingRate(draft, context);
  const pdfAwaited = awaitsPdf(draft, context);
  const isPayable = invoice.grossMinor !== 0n && invoice.payDate === null;
  const nothingToPay = !isPayable && !pdfAwaited;
  Object.assign(invoice, {
    status: nothingToPay ? 'STATUS_PAID' : 'STATUS_FINALIZING',
    finalizedAt: context.now,
    payDate: nothingToPay ? (invoice.payDate ?? context.now) : null,
    dueAt: invoice.dueAt ?? endOfTerm(day, settings.paymentTermDays, customer.timeZone),
    invoiceAddress: address,
    unpaidMinor: nothingToPay ? 0n : invoice.grossMinor,
    pdfAwaited,
    mediaId: newUlid(),
    eInvoiceType,
    leitwegId: eInvoiceType && invoice.leitwegId,
    xmlMediaId: eInvoiceType && newUlid(),
    exchangeRates:
      rate && !invoice.exchangeRates.includes(rate) ? [...invoice.exchangeRates, rate] : invoice.exchangeRates,
    joinable: false,
    blockedReason: null,
    usageBreakdown: isPayable && hasUsage(positions) && settings.usageBreakdownLink,
  });
}

/** What the document is about: of a credit that was not made of one document by hand, where its lines come from. */
const documentsOf = (draft: Draft, context: InvoiceContext): readonly BilledDocument[] =>
  draft.referenced ??
  (draft.invoice.type === 'TYPE_CREDIT' ? context.billed.documentsOf(draft.positions) : []).filter(
    ({ id }) => id !== draft.invoice.id,
  );

/** Names on the row what the document is about. The documents have their numbers. */
export function nameReferences(draft: Draft, context: InvoiceContext): void {
  const documents = documentsOf(draft, context);
  if (documents.length === 0) return;
  draft.invoice.referencedInvoiceId = documents.length === 1 ? (documents[0]?.id ?? null) : null;
  draft.invoice.referencedInvoices = documents.map(({ id, number }) => ({ id, number: number ?? '' }));
}

/** What a document's file shows; for a draft, what it would show now. */
export function snapshotOf(draft: Draft, context: InvoiceContext, templates?: OwnTemplates): DocumentSnapshot {
  const snapshot = draft.content ?? contentOf(draft, context);
  const { title, introduction, closing } = draft.invoice;
  return {
    ...snapshot,
    texts: title === null ? textsOf(draft, snapshot, templates) : { title, introduction, closing },
  };
}

/** Writes the texts of a document, which may name its number. */
export function writeTexts(draft: Draft, context: InvoiceContext, templates: OwnTemplates): void {
  draft.content = contentOf(draft, context);
  Object.assign(draft.invoice, textsOf(draft, draft.content, templates));
}

/** All that a document's file shows but for its texts. */
export function contentOf(draft: Draft, context: InvoiceContext): Omit<DocumentSnapshot, 'texts'> {
  invariant(draft.customer, 'a priced draft has its customer');
  const { invoice, positions, taxes, customer, address } = draft;
  return freezeSnapshot({
    invoice,
    draft: invoice.number === null,
    day: localDay(invoice.finalizedAt ?? context.now, customer.timeZone),
    positions,
    taxes,
    exchangeRates: invoice.exchangeRates,
    customer,
    address,
    vatId: draft.billedVatId ?? vatIdOf(customer, address),
    settings: context.settingsOf(customer.id),
    // Who has not paid so far is asked to transfer.
    method: (!draft.claim && draft.method?.representation) || null,
    claim: draft.claim ?? null,
    eInvoice: invoice.number === null ? null : eInvoiceOfDraft(draft, context),
    referenced: documentsOf(draft, context).map(({ type, number, finalizedAt }) => ({
      type,
      number: number ?? '',
      issueDate: localDay(finalizedAt ?? context.now, customer.timeZone),
    })),
  });
}

/** What the document of a draft would show if it were issued now; its number is not known yet. */
export function issuedSnapshotOf(draft: Draft, context: InvoiceContext): DocumentSnapshot {
  invariant(draft.customer, 'a priced draft has its customer');
  const { invoice, customer } = draft;
  const day = localDay(context.now, customer.timeZone);
  const term = context.settingsOf(customer.id).paymentTermDays;
  const dueAt = invoice.dueAt ?? endOfTerm(day, term, customer.timeZone);
  const number = invoice.number ?? '0';
  return snapshotOf({ ...draft, invoice: { ...invoice, number, dueAt } }, context);
}

export const snapshotRowOf = (draft: Draft, context: InvoiceContext): DocumentSnapshotRow => ({
  tenantId: draft.invoice.tenantId,
  invoiceId: draft.invoice.id,
  snapshot: withoutLogo(snapshotOf(draft, context)),
  searched: searchedOf(draft.invoice),
});

/** What a document is searched by: its number, and the recipient as it is written. */
const searchedOf = ({ number, invoiceAddress: to }: Draft['invoice']): string =>
  [number, to?.companyName, to?.firstName, to?.lastName, to?.addition, to?.street, to?.houseNumber, to?.zip, to?.city]
    .concat(to?.vatId, to?.costCentre)
    .filter((text) => typeof text === 'string')
    .join(' ');

/** The rows of the document's files, whose bytes are made later. */
export function mediaRowsOf({ invoice }: Draft): MediaRow[] {
  const { mediaId, number, finalizedAt } = invoice;
  const file = fileOf({ mediaId, number, finalizedAt, pdfAwaited: false });
  invariant(file, 'a finalized document has a file');
  const xml = xmlFileOf(invoice);
  const row = { tenantId: invoice.tenantId, invoiceId: invoice.id, blobKey: null, sizeBytes: null };
  return [{ ...row, kind: 'pdf', ...file }, ...(xml ? [{ ...row, kind: 'xml' as const, ...xml }] : [])];
}
