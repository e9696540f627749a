import type { Books } from '../customer-books/books.js';
import type { Intent } from '../customer-books/intent.js';
import type { Origin } from '../customer-books/lots.js';
import type { PaymentTransaction } from '../customer-books/transaction.js';
import { applyCredit } from '../wallet/apply-credit.js';
import { creditTopUp, moveToWallet } from '../wallet/credit.js';

/**
 * Money of a transaction arrives on its intent, or `amountMinor` of it on one of several. With the setting on, what
 * exceeds the open amount becomes credit and the open amount is zero; only what is too much now is credited, never what
 * was credited before.
 * @see docs/rules/payments.md#overpayment
 */
export function receivedFor(
  books: Books,
  intent: Intent,
  transaction: PaymentTransaction,
  amountMinor: bigint = transaction.amountMinor,
): void {
  intent.failReason = null;
  books.allocate(intent, 'payment', amountMinor, { transactionId: transaction.id }, transaction.paymentDate);
  if (intent.topUpId !== null) {
    creditTopUp(books, intent, { id: transaction.id, amountMinor, origin: originOf(transaction) });
    return;
  }
  const rules = books.rulesOf(intent.customerId);
  // What still arrives for an invoice that was cancelled or closed is the customer's, whatever the setting says.
  const credits = intent.status === 'cancelled' ? rules.walletEnabled : rules.creditOverpayments;
  if (intent.openMinor >= 0n || !credits) return;
  moveToWallet(books, intent, 'overpayment', { transactionId: transaction.id, origin: originOf(transaction) });
  applyCredit(books, intent.customerId, intent.currencyCode);
}

/** Where credit that a payment brings comes from. @see docs/rules/payments.md#origin-of-credit */
export const originOf = (transaction: PaymentTransaction): Origin => ({
  paymentMethodId: transaction.paymentMethodId,
  gatewayName: transaction.gatewayName,
  reference: transaction.reference ?? transaction.id,
});
