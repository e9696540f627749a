import { newUuid } from '@kontor/kernel';
import { exponentOf } from '@kontor/money';
import type { InvoiceRow } from '../db/invoice.row.js';
import type { PositionRow } from '../db/position.row.js';
import type { Claim } from '../domain/dunning/claim.js';
import { documentTypeOf } from '../domain/dunning/dunning-document.js';
import type { DunningRule } from '../domain/dunning/dunning-rule.js';
import { formatDay } from '../pdf/format.js';
import { emptyInvoice, unpricedPosition } from '../invoices/new-rows.js';
import { fileOf } from '../invoices/represent-invoice.js';
import { type Draft, newDraft } from '../pricing/draft.js';

const WORDS = {
  de: {
    fee: (level: number) => `Mahngebühr (Stufe ${level})`,
    interest: (from: string, to: string) => `Verzugszinsen vom ${from} bis ${to}`,
    lumpSum: 'Verzugspauschale',
  },
  en: {
    fee: (level: number) => `Dunning fee (level ${level})`,
    interest: (from: string, to: string) => `Default interest from ${from} to ${to}`,
    lumpSum: 'Lump sum for default',
  },
} as const;

/** A reminder or dunning letter as a draft: a position for each fee, none of them with VAT: they are damages. */
export function dunningDraft(
  invoice: InvoiceRow,
  rule: DunningRule,
  claim: Claim,
  { now, dueAt, taxGroupId }: { readonly now: Date; readonly dueAt: Date; readonly taxGroupId: string },
): Draft {
  const { tenantId, customerId, currencyCode, language, invoiceAddressId } = invoice;
  const feesMinor = claim.feeMinor + claim.interestMinor + claim.lumpSumMinor;
  const file = fileOf(invoice);
  const document = emptyInvoice({
    tenantId,
    id: newUuid(),
    customerId,
    currencyCode,
    language,
    invoiceAddressId,
    sourceType: 'manual',
    createdAt: now,
    type: documentTypeOf(rule.type),
    dueAt,
    referencedInvoiceId: invoice.id,
    referencedInvoices: [{ id: invoice.id, number: invoice.number ?? '' }],
    netMinor: feesMinor,
    grossMinor: feesMinor,
    dunningLevel: rule.level,
    dunningStatus: rule.type,
    dunning: {
      level: rule.level,
      invoiceId: invoice.id,
      invoiceNumber: invoice.number ?? '',
      claimMinor: Number(claim.claimMinor),
      original:
        rule.attachOriginalInvoice && file
          ? { mediaId: file.id, fileName: file.fileName, mimeType: file.mimeType }
          : null,
    },
  });
  const draft = newDraft(document, positionsOf(document, rule, claim, taxGroupId));
  draft.taxes = feesMinor > 0n ? [{ category: 'O', rate: '0', noteKey: null, baseMinor: feesMinor, taxMinor: 0n }] : [];
  return draft;
}

function positionsOf(document: InvoiceRow, { level }: DunningRule, claim: Claim, taxGroupId: string): PositionRow[] {
  const words = WORDS[document.language];
  const day = (text: string) => formatDay(text, document.language);
  const lines: [string, bigint][] = [
    [words.fee(level), claim.feeMinor],
    ...claim.interest.map(({ from, to, minor }): [string, bigint] => [words.interest(day(from), day(to)), minor]),
    [words.lumpSum, claim.lumpSumMinor],
  ];
  return lines
    .filter(([, minor]) => minor > 0n)
    .map(([name, minor], index) => feePosition(document, name, { minor, ordinal: index + 1, taxGroupId }));
}

function feePosition(
  document: InvoiceRow,
  name: string,
  { minor, ordinal, taxGroupId }: { readonly minor: bigint; readonly ordinal: number; readonly taxGroupId: string },
): PositionRow {
  const plain = unpricedPosition({
    tenantId: document.tenantId,
    id: newUuid(),
    invoiceId: document.id,
    ordinal,
    type: 'dunning_fee',
    name,
    quantity: '1',
    priceAmount: minor,
    pricePrecision: exponentOf(document.currencyCode),
    priceCurrencyCode: document.currencyCode,
    taxGroupId,
    createdAt: document.createdAt,
  });
  return Object.assign(plain, { netMinor: minor, grossMinor: minor, taxCategory: 'O' as const });
}
