import { type Lowered, lowerOwn } from '../corrections/correct-invoice.js';
import type { Books } from '../customer-books/books.js';
import type { Intent } from '../customer-books/intent.js';
import { meet } from '../customer-books/meet.js';
import { walletKey } from '../customer-books/wallet.js';
import { freeCredit, type SpentCredit, withdrawFrom } from '../wallet/withdraw-credit.js';

/** What the documents of cancelled invoices gave their customers. */
export interface GivenByDocuments {
  readonly documents: readonly Intent[];
  /** What of it took off other invoices. */
  readonly lowered: readonly Lowered[];
  /** What the credit that they became has paid. */
  readonly spent: readonly SpentCredit[];
}

/**
 * Nothing of a cancelled invoice is to be paid: where what had paid it is gone, what its documents gave comes back, as far as
 * it is open again. First what they still owe, then what they took off other invoices, then the credit that they became; what
 * that has paid is open again.
 */
export function bringBack(books: Books, invoice: Intent, { documents, lowered, spent }: GivenByDocuments): void {
  if (invoice.status !== 'cancelled') return;
  for (const document of documents) {
    if (document.referencedInvoiceId !== invoice.invoiceId) continue;
    meet(books, document, invoice);
    for (const part of lowered) if (part.note === document) lowerOwn(books, part, invoice);
    withdrawCreditOf(books, document, spent, invoice.openMinor);
    meet(books, document, invoice);
  }
}

/** So much of the credit that a document became leaves its wallet. What it has paid of that is open again. */
function withdrawCreditOf(books: Books, document: Intent, spent: readonly SpentCredit[], amountMinor: bigint): void {
  const wallet = books.wallets.get(walletKey(document.customerId, document.currencyCode));
  let leftMinor = amountMinor;
  for (const lot of wallet ? books.lotsOf(wallet.id) : []) {
    if (lot.sourceIntentId !== document.id) continue;
    const backMinor = freeCredit(books, lot, spent, leftMinor);
    if (!wallet || backMinor <= 0n) continue;
    withdrawFrom(books, wallet, lot, backMinor);
    leftMinor -= backMinor;
  }
}
