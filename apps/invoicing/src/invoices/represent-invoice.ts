import { toMoneyJson, money, toUnitPriceJson } from '@kontor/money';
import { LEGAL_NOTES, legalNoteText, type LegalNoteKey, type TaxGroup } from '@kontor/tax';
import type { InvoiceRow } from '../db/invoice.row.js';
import type { PositionRow } from '../db/position.row.js';
import type { EInvoiceType } from '../domain/invoices/invoice.js';
import { fileNameOf } from '../domain/invoices/document-texts.js';
import { type AppliedTax, inDocumentOrder, shownPriceOf } from '../domain/invoices/position.js';
import type { InvoiceJson, MediaJson, PositionJson } from './invoice.schema.js';

/** A tax group as copied from billing: what decides the tax, and what answers show. */
export interface TaxGroupCopy extends TaxGroup {
  readonly internalDescription: string | null;
}

/** What an answer embeds from elsewhere. */
export interface InvoiceParts {
  readonly positions: readonly PositionRow[];
  /** GET's representation of the customer; its id alone when it is gone. */
  readonly customer: Record<string, unknown>;
  readonly paymentMethod: Record<string, unknown> | null;
  /** The frozen address, for a draft the one that it would get now. */
  readonly invoiceAddress: object | null;
  readonly referencedInvoice: Record<string, unknown> | null;
  readonly cancellationDocument: { readonly id: string; readonly number: string } | null;
  readonly taxGroups: ReadonlyMap<string, TaxGroupCopy>;
  /** As which e-invoice it was issued, a draft would be now. */
  readonly eInvoiceType: EInvoiceType | null;
  readonly usageBreakdownUrl: string | null;
}

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

const extensionOf = (fileName: string): string => fileName.slice(fileName.lastIndexOf('.') + 1);

/** A file as every answer shows it. */
export const representMedia = (media: {
  id: string;
  fileName: string;
  mimeType: string | null;
  createdAt: Date;
}): MediaJson => ({
  id: media.id,
  isPrivate: true,
  mimeType: media.mimeType,
  fileExtension: extensionOf(media.fileName),
  fileName: media.fileName,
  storageFileName: `${media.id}.${extensionOf(media.fileName)}`,
  createdAt: media.createdAt.toISOString(),
});

/** The document's file: known from its number, so that no row has to be read for it. One that is awaited is none yet. */
export const fileOf = (invoice: Pick<InvoiceRow, 'mediaId' | 'number' | 'finalizedAt' | 'pdfAwaited'>) =>
  !invoice.pdfAwaited && invoice.mediaId !== null && invoice.number !== null && invoice.finalizedAt !== null
    ? {
        id: invoice.mediaId,
        fileName: fileNameOf(invoice.number),
        mimeType: 'application/pdf',
        createdAt: invoice.finalizedAt,
      }
    : null;

/** The document's e-invoice, where it has one. */
export const xmlFileOf = (invoice: Pick<InvoiceRow, 'xmlMediaId' | 'number' | 'finalizedAt'>) =>
  invoice.xmlMediaId !== null && invoice.number !== null && invoice.finalizedAt !== null
    ? {
        id: invoice.xmlMediaId,
        fileName: fileNameOf(invoice.number, 'xml'),
        mimeType: 'application/xml',
        createdAt: invoice.finalizedAt,
      }
    : null;

/** A document as GET answers it and webhooks carry it. */
export function representInvoice(invoice: InvoiceRow, parts: InvoiceParts): InvoiceJson {
  const amount = (minor: bigint) => toMoneyJson(money(minor, invoice.currencyCode));
  const file = fileOf(invoice);
  const xmlFile = xmlFileOf(invoice);
  return {
    id: invoice.id,
    customer: parts.customer,
    paymentMethod: parts.paymentMethod,
    referencedInvoice: parts.referencedInvoice,
    referencedInvoices: [...(invoice.referencedInvoices ?? [])],
    type: invoice.type,
    currencyCode: invoice.currencyCode,
    number: invoice.number,
    status: invoice.status,
    creationDate: invoice.createdAt.toISOString(),
    finalizationDate: iso(invoice.finalizedAt),
    dueDate: iso(invoice.dueAt),
    lastReminderDate: iso(invoice.lastReminderAt),
    lastSentAt: iso(invoice.lastSentAt),
    dunningLevel: invoice.dunningLevel,
    dunningStatus: invoice.dunningStatus,
    payDate: iso(invoice.payDate),
    invoiceAddress: parts.invoiceAddress && { ...parts.invoiceAddress },
    internalNote: invoice.internalNote,
    title: invoice.title,
    introduction: invoice.introduction,
    closing: invoice.closing,
    netAmount: amount(invoice.netMinor),
    grossAmount: amount(invoice.grossMinor),
    taxAmount: amount(invoice.taxMinor),
    discountAmount: invoice.discountMinor === 0n ? null : amount(invoice.discountMinor),
    unpaidAmount: amount(invoice.unpaidMinor),
    file: file && representMedia(file),
    xmlFile: xmlFile && representMedia(xmlFile),
    taxes: representTaxes(parts.positions, invoice),
    positions: representPositions(parts.positions, invoice, parts.taxGroups),
    applicatedExchangeRates: invoice.exchangeRates,
    eInvoiceType: parts.eInvoiceType,
    leitwegId: invoice.leitwegId,
    customFields: invoice.customFields,
    serviceDateFrom: iso(invoice.serviceFrom),
    serviceDateTo: iso(invoice.serviceLast),
    usageBreakdownUrl: parts.usageBreakdownUrl,
    cancellationDocument: parts.cancellationDocument,
    dunningDisabled: invoice.dunningDisabled,
    sourceType: invoice.sourceType,
    paymentIntent:
      invoice.intentId === null
        ? null
        : {
            id: invoice.intentId,
            status: invoice.intentStatus as string,
            amount: amount(invoice.intentAmountMinor ?? 0n),
            openAmount: amount(invoice.intentOpenMinor ?? 0n),
          },
  };
}

/** Why there is no tax, in the document's language; nulls where there is. */
const reasonOf = (noteKey: LegalNoteKey | null, language: string) => ({
  note: noteKey && legalNoteText(noteKey, language),
  exemptionCode: noteKey && LEGAL_NOTES[noteKey].exemptionCode,
});

/** The sums of each category and rate, which make the tax of the document. */
function representTaxes(
  positions: readonly PositionRow[],
  { currencyCode, language }: Pick<InvoiceRow, 'currencyCode' | 'language'>,
): InvoiceJson['taxes'] {
  const taxed = positions.filter(({ taxCategory }) => taxCategory !== null);
  const groups = Map.groupBy(taxed, (p) => `${p.taxCategory} ${p.taxRate} ${p.taxNoteKey}`);
  const sum = (some: readonly PositionRow[], minorOf: (position: PositionRow) => bigint) =>
    toMoneyJson(
      money(
        some.reduce((total, position) => total + minorOf(position), 0n),
        currencyCode,
      ),
    );
  return [...groups.values()].map((some) => ({
    category: some[0]!.taxCategory!,
    rate: some[0]!.taxRate,
    netAmount: sum(some, ({ netMinor, discountMinor }) => netMinor - discountMinor),
    taxAmount: sum(some, ({ taxMinor }) => taxMinor),
    ...reasonOf(some[0]!.taxNoteKey, language),
  }));
}

function representPositions(
  positions: readonly PositionRow[],
  invoice: Pick<InvoiceRow, 'currencyCode' | 'language'>,
  taxGroups: InvoiceParts['taxGroups'],
): PositionJson[] {
  const shown = new Map(positions.map((position) => [position.id, representPosition(position, invoice, taxGroups)]));
  return inDocumentOrder(positions).map((position) => ({
    ...(shown.get(position.id) as PlainPosition),
    parent: (position.parentId !== null && shown.get(position.parentId)) || null,
  }));
}

type PlainPosition = Omit<PositionJson, 'parent'>;

/** A position without its parent. */
function representPosition(
  position: PositionRow,
  { currencyCode, language }: Pick<InvoiceRow, 'currencyCode' | 'language'>,
  taxGroups: InvoiceParts['taxGroups'],
): PlainPosition {
  const reason = reasonOf(position.taxNoteKey, language);
  const amount = (minor: bigint) => toMoneyJson(money(minor, currencyCode));
  const group = taxGroups.get(position.taxGroupId);
  const { quantity, priceAmount, pricePrecision, priceCurrencyCode, discountPercentage } = shownPriceOf(
    position,
    currencyCode,
  );
  return {
    id: position.id,
    position: position.ordinal,
    quantity,
    unit: position.unitId === null ? null : { id: position.unitId, name: position.unitName },
    unitPrice: toUnitPriceJson({ amount: priceAmount, precision: pricePrecision, currencyCode: priceCurrencyCode }),
    netAmount: amount(position.netMinor),
    grossAmount: amount(position.grossMinor),
    taxAmount: amount(position.taxMinor),
    discountAmount: position.discountMinor === 0n ? null : amount(position.discountMinor),
    discountPercentage,
    name: position.name,
    description: position.description,
    taxGroup: group
      ? {
          id: group.id,
          internalDescription: group.internalDescription,
          reverseChargeType: group.reverseChargeType,
          type: group.type,
        }
      : { id: position.taxGroupId, internalDescription: null, reverseChargeType: null, type: null },
    tax: position.tax && representTax(position.tax),
    taxCategory: position.taxCategory,
    taxNote: reason.note,
    taxExemptionCode: reason.exemptionCode,
    type: position.type,
    group:
      position.groupId === null
        ? null
        : { id: position.groupId, ranking: position.groupRanking, name: position.groupName },
    createdAt: position.createdAt.toISOString(),
    product: position.product,
    subscriptionItem: position.subscriptionItem,
    serviceDateFrom: iso(position.serviceFrom),
    serviceDateTo: iso(position.serviceLast),
  };
}

const representTax = ({ id, code, rate, description }: AppliedTax): PositionJson['tax'] => ({
  id,
  code,
  rate,
  description,
});
