import { newUuid } from '@kontor/kernel';
import { exponentOf } from '@kontor/money';
import type { InvoiceRow } from '../db/invoice.row.js';
import type { PositionRow } from '../db/position.row.js';
import type { RefundShare } from '../domain/refunds/split-refund.js';
import { emptyInvoice, unpricedPosition } from '../invoices/new-rows.js';
import { type Draft, newDraft } from '../pricing/draft.js';

const NAMES = { de: 'Erstattung zu Rechnung', en: 'Refund of invoice' } as const;

/** The refund as a draft: a position for each kind of tax, of negative amounts. */
export function refundDraft(
  invoice: InvoiceRow,
  shares: readonly RefundShare[],
  request: { paymentMethod: string | null; reason: string | null },
  now: Date,
): Draft {
  const id = newUuid();
  const netMinor = shares.reduce((sum, share) => sum - share.netMinor, 0n);
  const taxMinor = shares.reduce((sum, share) => sum - share.taxMinor, 0n);
  const { tenantId, customerId, currencyCode, language, invoiceAddressId } = invoice;
  const document = emptyInvoice({
    tenantId,
    id,
    customerId,
    currencyCode,
    language,
    invoiceAddressId,
    sourceType: 'manual',
    createdAt: now,
    type: 'TYPE_REFUND',
    referencedInvoiceId: invoice.id,
    referencedInvoices: [{ id: invoice.id, number: invoice.number ?? '' }],
    paymentMethodId: request.paymentMethod,
    internalNote: request.reason,
    netMinor,
    taxMinor,
    grossMinor: netMinor + taxMinor,
  });
  const draft = newDraft(
    document,
    shares.map((share, index) => positionOf(document, invoice, share, { ordinal: index + 1, reason: request.reason })),
  );
  draft.taxes = shares.map(({ like, netMinor: base, taxMinor: tax }) => ({
    category: like.taxCategory ?? 'S',
    rate: like.taxRate,
    noteKey: like.taxNoteKey,
    baseMinor: -base,
    taxMinor: -tax,
  }));
  return draft;
}

function positionOf(
  document: InvoiceRow,
  invoice: InvoiceRow,
  { like, netMinor, taxMinor }: RefundShare,
  { ordinal, reason }: { ordinal: number; reason: string | null },
): PositionRow {
  const plain = unpricedPosition({
    tenantId: document.tenantId,
    id: newUuid(),
    invoiceId: document.id,
    ordinal,
    type: 'invoice',
    name: `${NAMES[document.language]} ${invoice.number}`,
    description: reason,
    quantity: '-1',
    priceAmount: netMinor,
    pricePrecision: exponentOf(document.currencyCode),
    priceCurrencyCode: document.currencyCode,
    taxGroupId: like.taxGroupId,
    isGood: like.isGood,
    createdAt: document.createdAt,
  });
  const { taxCategory, taxRate, taxNoteKey, tax } = like;
  return Object.assign(plain, {
    netMinor: -netMinor,
    taxMinor: -taxMinor,
    grossMinor: -netMinor - taxMinor,
    taxCategory,
    taxRate,
    taxNoteKey,
    tax,
  });
}
