import { releaseCollection } from '../collections/cancel-collection.js';
import type { Books } from '../customer-books/books.js';
import { meet, setOff } from '../customer-books/meet.js';
import type { Intent } from '../customer-books/intent.js';
import type { PaymentTransaction } from '../customer-books/transaction.js';
import { reverseCredit } from '../wallet/apply-credit.js';
import { creditDocument, type PaidMoney } from '../wallet/credit.js';
import { type SpentLot, upTo } from '../wallet/spent-credit.js';

/** Why a collection was cancelled: nobody is to pay the invoice any more. */
export const INVOICE_ENDED = 'invoice_ended';

/** What is known of the invoice, or credit note, that a document takes back. */
export interface CorrectedInvoice {
  readonly intent: Intent;
  /** Collections of it that wait for the payer, or that a gateway has not answered. */
  readonly underWay: readonly PaymentTransaction[];
  /** The credit that paid it and no document has returned, in the order in which it returns. */
  readonly spent: readonly SpentLot[];
  /** The money that paid it and has not gone back, oldest first. */
  readonly paid: readonly PaidMoney[];
  /** Its credit notes that are still owed to the customer. */
  readonly notes: readonly Intent[];
  /** What its credit notes have taken off other invoices; of a credit note: what it has taken off invoices. */
  readonly lowered: readonly Lowered[];
  /** Of a credit note: its money that is to go out and has not left. */
  readonly payouts: readonly PaymentTransaction[];
  /** Lets what refunds owe of an invoice that is open again meet it, before credit pays that. */
  readonly stopRefunds: (invoice: Intent) => void;
}

/** So much of a credit note lowers an invoice that it is not about. */
export interface Lowered {
  readonly note: Intent;
  readonly invoice: Intent;
  readonly amountMinor: bigint;
}

/** `wallet`, `refund`, `none`; null: credit where there is a wallet. */
export type Disposition = 'wallet' | 'refund' | 'none' | null;

/**
 * An invoice is not to be paid any more: collections that wait for the payer are released; one that a gateway is just
 * making cannot be stopped, and what it brings will be the customer's. Returns what was released.
 */
export function endInvoice(
  books: Books,
  invoice: Intent,
  underWay: readonly PaymentTransaction[],
): PaymentTransaction[] {
  const waiting = underWay.filter((transaction) => transaction.status === 'action_required');
  for (const transaction of waiting) releaseCollection(books, transaction, INVOICE_ENDED);
  invoice.status = 'cancelled';
  invoice.nextRetryAt = null;
  books.restate(invoice);
  return waiting;
}

/**
 * A cancellation meets its invoice: credit that paid it returns to the lots it came from, as far as the document takes
 * back; nothing of the invoice stays open: what its credit notes took off other invoices comes back to it, and those
 * are open again by as much. What the document still owes then is money that was paid. Returns the
 * collections that were released.
 */
export function cancelInvoice(books: Books, document: Intent, corrected: CorrectedInvoice): PaymentTransaction[] {
  const { intent: invoice, underWay, spent, notes, lowered, stopRefunds } = corrected;
  const released = endInvoice(books, invoice, underWay);
  const uses = upTo(-document.openMinor - (invoice.openMinor > 0n ? invoice.openMinor : 0n), spent);
  if (uses.length > 0)
    reverseCredit(
      books,
      invoice,
      uses.map(({ lotId, amountMinor }) => ({ lotId, amountMinor })),
    );
  meet(books, document, invoice);
  for (const note of notes) meet(books, note, invoice);
  for (const part of lowered) {
    lowerOwn(books, part, invoice);
    if (part.invoice.status !== 'cancelled') stopRefunds(part.invoice);
  }
  // What a document that claims something itself has not met: nobody pays a cancelled invoice.
  if (invoice.openMinor < 0n || document.amountMinor > 0n) takeOver(books, document, invoice);
  return released;
}

/** A credit note that lowers another invoice lowers its own instead, as far as that is open. */
export function lowerOwn(books: Books, { note, invoice: other, amountMinor }: Lowered, invoice: Intent): void {
  if (invoice.openMinor <= 0n || other.status === 'cancelled') return;
  const part = amountMinor < invoice.openMinor ? amountMinor : invoice.openMinor;
  setOff(books, note, other, -part);
  meet(books, note, invoice);
}

/** What had been paid too much on the invoice is owed by the document that cancels it; what is open of it is claimed by that. */
function takeOver(books: Books, document: Intent, invoice: Intent): void {
  if (invoice.openMinor !== 0n) setOff(books, document, invoice, invoice.openMinor);
}

/**
 * What a cancellation or credit note still owes becomes credit: what money paid (`paid`), each part with the origin of its payment, then what
 * credit paid (`spent`), with its terms. `refund` is not for here; without a wallet, or with `none`, it stays owed.
 */
export function disposeOf(
  books: Books,
  document: Intent,
  disposition: Disposition,
  { paid, spent }: Pick<CorrectedInvoice, 'paid' | 'spent'>,
): void {
  const wanted = disposition === null || disposition === 'wallet';
  if (!wanted || document.openMinor >= 0n || !books.rulesOf(document.customerId).walletEnabled) return;
  creditDocument(books, document, { paid, spent });
}
