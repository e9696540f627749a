import type { Books } from '../customer-books/books.js';
import type { Intent } from '../customer-books/intent.js';
import { meet, setOff } from '../customer-books/meet.js';
import { walletKey } from '../customer-books/wallet.js';
import { applyCredit } from '../wallet/apply-credit.js';
import { withdrawNote } from '../wallet/withdraw-credit.js';
import { stopRefund } from '../refunds/stop-refunds.js';
import type { CorrectedInvoice } from './correct-invoice.js';

/**
 * A credit note is taken back: what it has taken off invoices is open again, what is left of the credit that it became
 * leaves the wallet, and money that has not left stays. What was paid out or used since is owed by the document that cancels it; nobody is debited for that
 * by himself.
 */
export function cancelCredit(
  books: Books,
  document: Intent,
  { intent: note, lowered, payouts, stopRefunds }: CorrectedInvoice,
): void {
  for (const payout of payouts) stopRefund(books, payout, 'credit_cancelled');
  for (const { invoice, amountMinor } of lowered) {
    if (invoice.status === 'cancelled') continue;
    setOff(books, note, invoice, -amountMinor);
    stopRefunds(invoice);
  }
  const wallet = books.wallets.get(walletKey(note.customerId, note.currencyCode));
  if (wallet) withdrawNote(books, wallet, note);
  meet(books, note, document);
  applyCredit(books, document.customerId, document.currencyCode);
}
