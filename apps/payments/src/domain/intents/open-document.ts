import { invariant } from '@kontor/kernel';
import type { Books } from '../customer-books/books.js';
import { NO_TRIES } from '../collections/collection-retries.js';
import { startCollection } from '../collections/collections.js';
import { cancelInvoice, type CorrectedInvoice, type Disposition, disposeOf } from '../corrections/correct-invoice.js';
import { cancelCredit } from '../corrections/cancel-credit.js';
import { applyCredit } from '../wallet/apply-credit.js';
import { type Intent, isDunningFee, oldestDueFirst } from '../customer-books/intent.js';
import { meet } from '../customer-books/meet.js';
import type { ChargeableMethod } from '../payment-methods/payment-method.js';
import { documentBooked, documentTakenOver, dunningFeesBooked } from '../ledger/postings.js';
import type { PaymentTransaction } from '../customer-books/transaction.js';

/** A document that got its number. Amounts are minor units, negative for credit notes and refunds. */
export interface FinalizedDocument {
  readonly invoiceId: string;
  readonly type: string;
  readonly number: string;
  readonly customerId: string;
  readonly currencyCode: string;
  readonly grossMinor: bigint;
  readonly taxMinor: bigint;
  readonly dueAt: Date;
  /** For a refund, credit note or cancellation: the invoice that it is about. */
  readonly referencedInvoiceId?: string | null;
  /** What becomes of money that was paid for what a credit note or cancellation takes back. */
  readonly disposition?: Disposition;
  /** A credit that nobody asked for: its own invoice has no precedence. */
  readonly automatic?: boolean;
  /** Another system issued it: its revenue is not booked here, and it is not collected by itself. */
  readonly imported?: boolean;
}

export interface OpenedDocument {
  readonly intent: Intent;
  /** Collections of the invoice that it cancels: nobody is to act on them any more. */
  readonly released: readonly PaymentTransaction[];
}

/**
 * Opens a document's intent and books what it means: an invoice is owed, credit may pay it, and the rest is collected
 * by `method`; a credit note reduces the invoice that it is about, unless it is automatic, then the customer's open
 * invoices, oldest due first, and the rest becomes credit, or stays open; a cancellation ends its invoice, or takes its credit note back (`corrected`).
 */
export function openDocument(
  books: Books,
  document: FinalizedDocument,
  method: ChargeableMethod | null,
  collectionId: string,
  corrected: CorrectedInvoice | null = null,
): OpenedDocument {
  invariant(document.grossMinor !== 0n, 'a document of zero has no intent');
  const intent = books.open({
    id: books.newId(),
    invoiceId: document.invoiceId,
    topUpId: null,
    referencedInvoiceId: document.referencedInvoiceId ?? null,
    customerId: document.customerId,
    documentNumber: document.number,
    documentType: document.type,
    currencyCode: document.currencyCode,
    amountMinor: document.grossMinor,
    openMinor: document.grossMinor,
    pendingMinor: 0n,
    payerMinor: 0n,
    creditAppliedMinor: 0n,
    status: 'open',
    paymentMethodId: method?.id ?? null,
    dueAt: document.dueAt,
    paidAt: null,
    failReason: null,
    version: 0,
    createdAt: books.now,
    ...NO_TRIES,
  });
  const isDunning = isDunningFee(intent);
  const booked = document.imported ? documentTakenOver : isDunning ? dunningFeesBooked : documentBooked;
  books.operations.push(booked({ documentId: document.invoiceId, ...document }));
  if (document.grossMinor < 0n) return { intent, released: takeBack(books, intent, document, corrected) };
  if (document.type === 'TYPE_CANCEL') return { intent, released: cancelByClaim(books, intent, corrected) };
  applyCredit(books, intent.customerId, intent.currencyCode);
  // A fee is not collected by itself: nobody has agreed to that.
  if (method && !document.imported && !isDunning) startCollection(books, intent, method, collectionId);
  return { intent, released: [] };
}

/** Of an invoice, the cancellation claims something where what it credited comes to more than what is left of its charges. */
function cancelByClaim(books: Books, intent: Intent, corrected: CorrectedInvoice | null): PaymentTransaction[] {
  if (corrected?.intent.documentType === 'TYPE_CREDIT') cancelCredit(books, intent, corrected);
  else if (corrected) {
    const released = cancelInvoice(books, intent, corrected);
    applyCredit(books, intent.customerId, intent.currencyCode);
    return released;
  }
  return [];
}

function takeBack(
  books: Books,
  intent: Intent,
  { type, disposition = null, automatic = false }: FinalizedDocument,
  corrected: CorrectedInvoice | null,
): PaymentTransaction[] {
  if (type === 'TYPE_CANCEL') {
    const released = corrected ? cancelInvoice(books, intent, corrected) : [];
    disposeOf(books, intent, disposition, { paid: corrected?.paid ?? [], spent: [] });
    // Credit that had paid it has returned, and pays what else is open.
    if (corrected) applyCredit(books, corrected.intent.customerId, intent.currencyCode);
    return released;
  }
  if (type !== 'TYPE_CREDIT') return [];
  if (corrected && !automatic) meet(books, intent, corrected.intent, books.creditableMinor(corrected.intent));
  if (disposition === null) lowerOpenInvoices(books, intent);
  disposeOf(books, intent, disposition, corrected ?? { paid: [], spent: [] });
  return [];
}

/** A credit note lowers the customer's open invoices, oldest due first. */
function lowerOpenInvoices(books: Books, note: Intent): void {
  const waiting = [...books.intents.values()]
    .filter(
      (i) =>
        i.customerId === note.customerId &&
        i.currencyCode === note.currencyCode &&
        i.invoiceId !== null &&
        books.creditableMinor(i) > 0n,
    )
    .sort(oldestDueFirst);
  for (const invoice of waiting) meet(books, note, invoice, books.creditableMinor(invoice));
}
