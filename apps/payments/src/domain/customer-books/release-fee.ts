import { dunningFeesWaived } from '../ledger/postings.js';
import type { Books } from './books.js';
import type { Intent } from './intent.js';

/** What is open of a dunning letter's fee is not owed any more. `returnId`: the return that has opened it once more. */
export function releaseFee(books: Books, fee: Intent, returnId?: string): void {
  const { id, invoiceId, customerId, currencyCode, openMinor } = fee;
  if (openMinor <= 0n) return;
  const posting = { documentId: invoiceId ?? id, customerId, currencyCode, grossMinor: openMinor, taxMinor: 0n };
  books.operations.push(dunningFeesWaived(posting, returnId));
  books.allocate(fee, 'write_off', openMinor, {});
}
