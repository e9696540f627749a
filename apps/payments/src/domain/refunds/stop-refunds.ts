import { invariant } from '@kontor/kernel';
import type { Books } from '../customer-books/books.js';
import { owedMinor, type Intent } from '../customer-books/intent.js';
import { setOff } from '../customer-books/meet.js';
import type { PaymentTransaction } from '../customer-books/transaction.js';

/** What is to go back of an invoice's money, or has gone. */
export interface Promised {
  /** What its documents have returned in any way, are about to, or owe, minor units. */
  readonly promisedMinor: bigint;
  /** Of that, what became credit again of the credit that had paid. */
  readonly returnedCreditMinor: bigint;
  /** Those that have not paid all of it out. */
  readonly documents: readonly Intent[];
}

/**
 * Documents that owe money of an invoice which is open again meet it, newest first, as far as more is promised than is
 * still paid: neither is owed. Credit that has paid is no money to be sent out. What is under way goes out. Returns what is too much all
 * the same, minor units.
 */
export function meetPromised(
  books: Books,
  invoice: Intent,
  { promisedMinor, returnedCreditMinor, documents }: Promised,
): bigint {
  const paidMinor = invoice.openMinor < invoice.amountMinor ? invoice.amountMinor - invoice.openMinor : 0n;
  const creditMinor = invoice.creditAppliedMinor - returnedCreditMinor;
  const moneyMinor = paidMinor - (creditMinor > 0n ? creditMinor : 0n);
  // A cancelled invoice is paid by nobody: what is open of it again is what must not go out.
  let excessMinor = invoice.status === 'cancelled' ? invoice.openMinor : promisedMinor - moneyMinor;
  for (const document of [...documents].sort((a, b) => (a.id < b.id ? 1 : -1))) {
    const openMinor = invoice.openMinor - invoice.pendingMinor;
    const metMinor = [excessMinor, openMinor, owedMinor(document)].reduce((a, b) => (a < b ? a : b));
    if (metMinor <= 0n) continue;
    setOff(books, document, invoice, metMinor);
    excessMinor -= metMinor;
  }
  return excessMinor;
}

/**
 * An invoice is open again, because money of it was returned or what had lowered it was taken back: what is only owed meets it, and
 * refunds of it that have not left yet stop, newest first, as far as more would go out than is still paid. A document that loses its
 * refund so meets the invoice, too. Returns what has stopped.
 */
export function stopRefunds(
  books: Books,
  invoice: Intent,
  promised: Promised,
  stoppable: readonly PaymentTransaction[],
  reason: string,
): PaymentTransaction[] {
  let excessMinor = meetPromised(books, invoice, promised);
  const stopped: PaymentTransaction[] = [];
  for (const refund of [...stoppable].sort((a, b) => (a.id < b.id ? 1 : -1))) {
    if (excessMinor <= 0n) break;
    const document = stopRefund(books, refund, reason);
    excessMinor -= refund.amountMinor;
    stopped.push(refund);
    const openMinor = invoice.openMinor - invoice.pendingMinor;
    const metMinor = openMinor < refund.amountMinor ? openMinor : refund.amountMinor;
    if (metMinor > 0n) setOff(books, document, invoice, metMinor);
  }
  return stopped;
}

/** A refund that has not left does not go out; its document, which this returns, owes the money again. */
export function stopRefund(books: Books, refund: PaymentTransaction, reason: string): Intent {
  invariant(refund.intentId !== null, 'a refund belongs to a document');
  const document = books.intent(refund.intentId);
  document.pendingMinor -= refund.amountMinor;
  refund.status = 'failed';
  refund.failReason = reason;
  books.touchTransaction(refund);
  books.restate(document);
  return document;
}
