import { money, toMoneyJson } from '@kontor/money';
import type { InvoiceRow } from '../db/invoice.row.js';
import { fileOf, representMedia } from '../invoices/represent-invoice.js';
import type { DunningDocumentRow } from './dunning-document.row.js';
import type { DunningDocumentJson } from './dunning.schema.js';

/** A reminder or dunning letter as answers and webhooks show it: `row` is its document. */
export function representDunning(
  document: DunningDocumentRow,
  row: InvoiceRow,
  customer: Record<string, unknown> | undefined,
): DunningDocumentJson {
  const amount = (minor: bigint) => toMoneyJson(money(minor, row.currencyCode));
  const file = fileOf(row);
  return {
    id: document.id,
    number: row.number ?? '',
    customer: customer ?? { id: document.customerId },
    invoice: { id: document.invoiceId, number: row.dunning?.invoiceNumber ?? '' },
    level: document.level,
    type: document.type,
    status: document.status,
    title: row.title ?? '',
    introduction: row.introduction,
    closing: row.closing,
    documentDate: document.createdAt.toISOString(),
    dueDate: row.dueAt?.toISOString() ?? document.createdAt.toISOString(),
    openAmount: amount(document.openMinor),
    dunningFee: amount(document.feeMinor),
    interestAmount: amount(document.interestMinor),
    lumpSumAmount: amount(document.lumpSumMinor),
    claimAmount: amount(document.claimMinor),
    media: file && representMedia(file),
  };
}
