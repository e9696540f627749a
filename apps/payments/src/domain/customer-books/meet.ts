import { invariant } from '@kontor/kernel';
import { setOffBetween } from '../ledger/postings.js';
import type { Books } from './books.js';
import type { Intent } from './intent.js';

/** What a document owes and what an invoice has open cancel each other out, as far as both go. */
export function meet(books: Books, document: Intent, invoice: Intent, openMinor = invoice.openMinor): void {
  const owedMinor = -document.openMinor - document.pendingMinor;
  const amountMinor = openMinor < owedMinor ? openMinor : owedMinor;
  if (amountMinor > 0n) setOff(books, document, invoice, amountMinor);
}

/**
 * So much of what a document owes lowers an invoice; a negative amount takes that back. Both may be of two customers, whose merge
 * was undone after the one had corrected a document of the other: then what they owe moves with it.
 */
export function setOff(books: Books, document: Intent, invoice: Intent, amountMinor: bigint): void {
  invariant(document.currencyCode === invoice.currencyCode, 'what is owed is set off in one currency');
  books.allocate(invoice, 'credit_note', amountMinor, { counterIntentId: document.id });
  books.allocate(document, 'credit_note', -amountMinor, { counterIntentId: invoice.id });
  if (document.customerId !== invoice.customerId)
    books.operations.push(setOffBetween(books.newId(), document, invoice, amountMinor));
}
