import { newUuid } from '@kontor/kernel';
import { compareDecimal, decimal, type Decimal, exponentOf, extend, formatDecimal, toMinor } from '@kontor/money';
import type { InvoiceRow } from '../db/invoice.row.js';
import { PositionRow } from '../db/position.row.js';
import { afterDiscount, grossOf, type Taken } from '../domain/corrections/rest.js';
import { taxesOf } from '../domain/corrections/taxes.js';
import { servicePeriodOf } from '../domain/invoices/position.js';
import { emptyInvoice } from '../invoices/new-rows.js';
import { type Disposition, type Draft, newDraft } from '../pricing/draft.js';

export interface CorrectionRequest {
  readonly type: 'TYPE_CANCEL' | 'TYPE_CREDIT';
  readonly reason: string | null;
  readonly comment: string | null;
  readonly disposition: Disposition | null;
  readonly mailed: boolean;
}

/** A cancellation or credit note as a draft: a line for each that is taken back, with its amounts turned around. */
export function correctionDraft(
  invoice: InvoiceRow,
  taken: readonly Taken[],
  { type, reason, comment, disposition, mailed }: CorrectionRequest,
  now: Date,
): Draft {
  const { tenantId, customerId, currencyCode, language, invoiceAddressId, sourceType, exchangeRates } = invoice;
  const document = emptyInvoice({
    tenantId,
    id: newUuid(),
    customerId,
    currencyCode,
    language,
    invoiceAddressId,
    sourceType,
    exchangeRates,
    createdAt: now,
    type,
    referencedInvoiceId: invoice.id,
    customFields: invoice.customFields,
    eInvoiceType: invoice.eInvoiceType,
    leitwegId: invoice.leitwegId,
    internalNote: comment,
    reason,
    mailed,
    netMinor: -sumOf(taken, afterDiscount),
    discountMinor: -sumOf(taken, (part) => part.discountMinor),
    taxMinor: -sumOf(taken, (part) => part.taxMinor),
    grossMinor: -sumOf(taken, grossOf),
  });
  const ids = new Map(taken.map((part) => [part.position.id, newUuid()]));
  const positions = taken.map((part, index) => lineOf(document, part, ids, index + 1));
  const { from, last } = servicePeriodOf(positions);
  Object.assign(document, { serviceFrom: from, serviceLast: last });
  const draft = newDraft(document, positions);
  draft.taxes = taxesOf(taken).map((tax) => ({ ...tax, baseMinor: -tax.baseMinor, taxMinor: -tax.taxMinor }));
  draft.disposition = disposition;
  return draft;
}

const sumOf = (taken: readonly Taken[], of: (part: Taken) => bigint): bigint =>
  taken.reduce((sum, part) => sum + of(part), 0n);

function lineOf(document: InvoiceRow, part: Taken, ids: ReadonlyMap<string, string>, ordinal: number): PositionRow {
  const original = part.position;
  const { netMinor, discountMinor, taxMinor } = part;
  return Object.assign(new PositionRow(), original, {
    id: ids.get(original.id),
    invoiceId: document.id,
    ordinal,
    parentId: (original.parentId !== null && ids.get(original.parentId)) || null,
    chargeId: null,
    originalChargeId: original.originalChargeId ?? original.chargeId,
    usage: null,
    createdAt: document.createdAt,
    ...priceOf(document, part),
    ratedNetMinor: null,
    ratedDiscountMinor: null,
    discountPercentage: isWhole(part) ? original.discountPercentage : null,
    discountFixedMinor: null,
    netMinor: -netMinor,
    discountMinor: -discountMinor,
    taxMinor: -taxMinor,
    grossMinor: -grossOf(part),
    correctedPositionId: original.id,
    correctedQuantity: part.quantity && formatDecimal(part.quantity),
  });
}

const isWhole = ({ position, netMinor, discountMinor, taxMinor }: Taken): boolean =>
  netMinor === position.netMinor && discountMinor === position.discountMinor && taxMinor === position.taxMinor;

/** Quantity and unit price as the original has them, where they make the amount; else the amount itself, once. */
function priceOf(document: InvoiceRow, part: Taken): Partial<PositionRow> {
  const { position, quantity, netMinor } = part;
  if (isWhole(part)) return { quantity: negated(decimal(position.quantity)) };
  if (quantity && makes(position, quantity, netMinor, document.currencyCode)) return { quantity: negated(quantity) };
  return {
    quantity: netMinor < 0n ? '1' : '-1',
    priceAmount: netMinor < 0n ? -netMinor : netMinor,
    pricePrecision: exponentOf(document.currencyCode),
    priceCurrencyCode: document.currencyCode,
  };
}

function makes(position: Taken['position'], quantity: Decimal, netMinor: bigint, currencyCode: string): boolean {
  const { priceAmount: amount, pricePrecision: precision, priceCurrencyCode } = position;
  if (priceCurrencyCode !== currencyCode || compareDecimal(quantity, decimal('0')) === 0) return false;
  return toMinor(extend(quantity, { amount, precision, currencyCode }), currencyCode, 'half_up') === netMinor;
}

const negated = (value: Decimal): string => formatDecimal({ ...value, coefficient: -value.coefficient });
