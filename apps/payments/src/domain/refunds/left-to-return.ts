import type { Books } from '../customer-books/books.js';
import { overpaidMinor } from '../customer-books/intent.js';

/** Minor units of an invoice that money, or credit, has paid, and that none of its documents returns. */
export interface Standing {
  readonly money: bigint;
  readonly credit: bigint;
}

/** One that returns something of the invoice: a credit note, a refund, a cancellation. */
export interface ReturningDocument {
  readonly id: string;
  readonly openMinor: bigint;
  readonly pendingMinor: bigint;
}

/** An invoice as it is stored, with what its documents have returned (negative). */
export interface PaidStanding extends Standing {
  readonly invoiceId: string;
  readonly intentId: string;
  readonly amountMinor: bigint;
  readonly openMinor: bigint;
  readonly documents: readonly (ReturningDocument & Standing)[];
}

/**
 * What of the payment of an invoice can still go back, as far as the decision has come. `documentId`: the one that is to return it, if it
 * is in the books; what it owes itself is not gone.
 */
export function leftToReturn(books: Books, stored: PaidStanding, documentId: string | null): Standing {
  const here = [...books.intents.values()].filter(
    (intent) => intent.referencedInvoiceId === stored.invoiceId && intent.amountMinor < 0n,
  );
  // What the others still owe goes out as money, when it is paid out by hand, too; so does what was paid too much.
  const leaving = ({ id, openMinor, pendingMinor }: ReturningDocument): bigint =>
    id === documentId ? pendingMinor : openMinor < 0n ? -openMinor : 0n;
  let { credit } = stored;
  let money = stored.money - overpaidMinor(stored);
  for (const other of stored.documents) {
    money += other.money - leaving(books.intents.get(other.id) ?? other);
    credit += other.credit;
  }
  // Those of the same decision, which is not saved yet.
  for (const other of here) if (!stored.documents.some(({ id }) => id === other.id)) money -= leaving(other);
  for (const { intentId, kind, transactionId, amountMinor } of books.allocations) {
    if (!here.some(({ id }) => id === intentId) || !['payout', 'to_wallet', 'from_wallet'].includes(kind)) continue;
    if (transactionId === null) credit += amountMinor;
    else money += amountMinor;
  }
  return { money, credit };
}

/**
 * So much of `restMinor`, which is to go back for an invoice, had been paid by credit. What money paid goes back first; credit does not
 * become money by it.
 */
export function shareOfCredit({ money, credit }: Standing, restMinor: bigint): bigint {
  const beyondMoney = restMinor - (money > 0n ? money : 0n);
  const share = beyondMoney < credit ? beyondMoney : credit;
  return share > 0n ? share : 0n;
}
