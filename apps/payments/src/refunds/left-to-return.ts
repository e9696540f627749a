import type { TenantTx } from '@kontor/persistence';
import { loadSpentCredit } from '../customer-books/load-spent-credit.js';
import { loadStandings } from '../customer-books/load-standings.js';
import type { Books } from '../domain/customer-books/books.js';
import type { Intent } from '../domain/customer-books/intent.js';
import { leftToReturn, type Standing } from '../domain/refunds/left-to-return.js';
import { afterReturned, type SpentLot } from '../domain/wallet/spent-credit.js';

/** What of the payment of a document's invoice can still go back. */
export interface LeftToReturn extends Standing {
  readonly invoiceIntentId: string | null;
  /** The credit, in the order in which it returns. */
  readonly spent: readonly SpentLot[];
}

/** Of the invoice that this document is about; both as far as the decision has come. */
export async function loadLeftToReturn(tx: TenantTx, books: Books, document: Intent): Promise<LeftToReturn> {
  const invoiceId = document.referencedInvoiceId!;
  const stored = (await loadStandings(tx, [invoiceId])).get(invoiceId);
  if (!stored) return { invoiceIntentId: null, money: 0n, credit: 0n, spent: [] };
  const { intentId } = stored;
  const left = leftToReturn(books, stored, document.id);
  if (left.credit <= 0n) return { ...left, invoiceIntentId: intentId, spent: [] };
  const spent = (await loadSpentCredit(tx, [intentId])).get(intentId) ?? [];
  return { ...left, invoiceIntentId: intentId, spent: afterReturned(spent, stored.credit - left.credit) };
}
