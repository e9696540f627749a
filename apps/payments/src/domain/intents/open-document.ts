import { invariant } from '@kontor/kernel';
import type { Books } from '../customer-books/books.js';
import { NO_TRIES } from '../collections/collection-retries.js';
import { startCollection } from '../collections/collections.js';
import { applyCredit, creditDocument } from '../wallet/credit.js';
import { collectableMinor, type Intent, oldestDueFirst } from '../customer-books/intent.js';
import type { ChargeableMethod } from '../payment-methods/payment-method.js';
import { documentBooked } from '../ledger/postings.js';

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
  /** For a refund: the invoice whose money goes back. */
  readonly referencedInvoiceId?: string | null;
}

/**
 * Opens a document's intent and books what it means: an invoice is owed, credit may pay it, and the rest is collected
 * by `method`; a credit note reduces the customer's open invoices and the rest becomes credit, or stays open.
 */
export function openDocument(
  books: Books,
  document: FinalizedDocument,
  method: ChargeableMethod | null,
  collectionId: string,
): Intent {
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
  books.operations.push(documentBooked({ documentId: document.invoiceId, ...document }));
  if (document.grossMinor < 0n) {
    if (document.type === 'TYPE_CREDIT') settleCreditNote(books, intent);
    return intent;
  }
  applyCredit(books, intent.customerId, intent.currencyCode);
  if (method) startCollection(books, intent, method, collectionId);
  return intent;
}

/**
 * A credit note first lowers the customer's open invoices, oldest due first; the rest becomes credit with the wallet,
 * else waits for a pay-out.
 */
export function settleCreditNote(books: Books, note: Intent): void {
  const waiting = [...books.intents.values()]
    .filter(
      (i) =>
        i.customerId === note.customerId &&
        i.currencyCode === note.currencyCode &&
        i.invoiceId !== null &&
        collectableMinor(i) > 0n,
    )
    .sort(oldestDueFirst);
  for (const invoice of waiting) {
    if (note.openMinor === 0n) break;
    const open = collectableMinor(invoice);
    const amountMinor = open < -note.openMinor ? open : -note.openMinor;
    books.allocate(invoice, 'credit_note', amountMinor, { counterIntentId: note.id });
    books.allocate(note, 'credit_note', -amountMinor, { counterIntentId: invoice.id });
  }
  if (note.openMinor === 0n || !books.rulesOf(note.customerId).walletEnabled) return;
  creditDocument(books, note);
}
