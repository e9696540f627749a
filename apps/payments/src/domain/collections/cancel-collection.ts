import { invariant } from '@kontor/kernel';
import type { Books } from '../customer-books/books.js';
import type { Intent } from '../customer-books/intent.js';
import { applyCredit } from '../wallet/apply-credit.js';
import { collectionFailed } from '../ledger/postings.js';
import type { PaymentTransaction } from '../customer-books/transaction.js';

/**
 * Cancels a collection that nobody has asked for yet, or that waits for the payer: the reservation is released, the
 * intent is as open as it is, and credit may pay it before it is collected in another way. Not a failure: nobody is
 * notified that a payment failed.
 */
export function cancelCollection(books: Books, transaction: PaymentTransaction, reason: string): void {
  releaseCollection(books, transaction, reason);
  applyCredit(books, transaction.customerId, transaction.currencyCode);
}

/** The same without a look at the credit, where several are cancelled at once. */
export function releaseCollection(books: Books, transaction: PaymentTransaction, reason: string): void {
  const waits = transaction.status === 'pending' || transaction.status === 'action_required';
  invariant(waits && transaction.intentId !== null, 'a waiting collection is cancelled');
  const intent = books.intent(transaction.intentId);
  endReservation(intent, transaction);
  transaction.status = 'failed';
  transaction.failReason = reason;
  books.operations.push(collectionFailed(transaction));
  books.touchTransaction(transaction);
  books.restate(intent);
}

/** It is decided, or about to be: nothing is under way for it any more. */
export function endReservation(intent: Intent, { status, amountMinor }: PaymentTransaction): void {
  intent.pendingMinor -= amountMinor;
  if (status === 'action_required') intent.payerMinor -= amountMinor;
}
