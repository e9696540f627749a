import { invariant } from '@kontor/kernel';
import type { Books } from '../customer-books/books.js';
import type { Intent } from '../customer-books/intent.js';
import { setOff } from '../customer-books/meet.js';
import type { PaymentTransaction } from '../customer-books/transaction.js';

/**
 * Money of an invoice was returned: refunds of it that have not left yet stop, newest first, as far as more would
 * go out than is still paid. A document that loses its refund so meets the invoice that is open again: neither is owed.
 * `standingMinor` is what refunds of the invoice have paid back or are about to, minor units. Returns what has stopped.
 */
export function stopRefunds(
  books: Books,
  invoice: Intent,
  standingMinor: bigint,
  stoppable: readonly PaymentTransaction[],
): PaymentTransaction[] {
  const paidMinor = invoice.openMinor < invoice.amountMinor ? invoice.amountMinor - invoice.openMinor : 0n;
  // A cancelled invoice is paid by nobody: what is open of it again is what must not go out.
  let excessMinor = invoice.status === 'cancelled' ? invoice.openMinor : standingMinor - paidMinor;
  const stopped: PaymentTransaction[] = [];
  for (const refund of [...stoppable].sort((a, b) => (a.id < b.id ? 1 : -1))) {
    if (excessMinor <= 0n) break;
    const document = stopRefund(books, refund, 'payment_returned');
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
