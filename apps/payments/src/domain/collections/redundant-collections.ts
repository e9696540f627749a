import type { Books } from '../customer-books/books.js';
import { releaseCollection } from './cancel-collection.js';
import { applyCredit } from '../wallet/apply-credit.js';
import type { Intent } from '../customer-books/intent.js';
import type { PaymentTransaction } from '../customer-books/transaction.js';

/** Why a collection was cancelled: other money has paid what it was to fetch, or some of it. */
export const ALREADY_PAID = 'already_paid';

/** True when more of an invoice is being fetched than is open. */
export const isCovered = (intent: Intent): boolean =>
  intent.amountMinor > 0n &&
  intent.topUpId === null &&
  intent.pendingMinor > (intent.openMinor > 0n ? intent.openMinor : 0n);

/**
 * Other money came while collections waited for the payer, who would pay a second time by acting now: they are
 * cancelled, newest first, until no more is fetched than is open; then credit may pay what they leave. Returns what was
 * cancelled.
 */
export function cancelRedundantCollections(books: Books, waiting: readonly PaymentTransaction[]): PaymentTransaction[] {
  const cancelled: PaymentTransaction[] = [];
  for (const transaction of [...waiting].sort((a, b) => (a.id < b.id ? 1 : -1))) {
    if (transaction.intentId === null || !isCovered(books.intent(transaction.intentId))) continue;
    releaseCollection(books, transaction, ALREADY_PAID);
    cancelled.push(transaction);
  }
  for (const { customerId, currencyCode } of cancelled) applyCredit(books, customerId, currencyCode);
  return cancelled;
}
