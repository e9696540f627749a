import type { Books } from './books.js';
import type { Intent } from './intent.js';

/** What a document owes and what an invoice has open cancel each other out, as far as both go. */
export function meet(books: Books, document: Intent, invoice: Intent, openMinor = invoice.openMinor): void {
  const owedMinor = -document.openMinor - document.pendingMinor;
  const amountMinor = openMinor < owedMinor ? openMinor : owedMinor;
  if (amountMinor <= 0n) return;
  books.allocate(invoice, 'credit_note', amountMinor, { counterIntentId: document.id });
  books.allocate(document, 'credit_note', -amountMinor, { counterIntentId: invoice.id });
}
