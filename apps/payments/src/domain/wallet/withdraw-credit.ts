import { invariant } from '@kontor/kernel';
import type { Books } from '../customer-books/books.js';
import { type Intent, oldestDueFirst } from '../customer-books/intent.js';
import type { Lot, LotUse } from '../customer-books/lots.js';
import { type Wallet, walletKey } from '../customer-books/wallet.js';
import { walletToReceivable } from '../ledger/postings.js';
import { reverseCredit } from './apply-credit.js';
import { move, useLots } from './wallet-lines.js';

/** Credit of one lot that pays an intent, net of what was reversed. */
export interface SpentCredit extends LotUse {
  readonly intentId: string;
}

/**
 * So much of the money behind credit went back, so as much of its lots goes too. Where they lack it, what they paid is
 * reversed: those invoices are open again, the last to be due first. Only what was spent on no invoice (deducted by hand,
 * expired) stays owed on the intent that had brought the credit.
 */
export function withdrawCredit(
  books: Books,
  payment: { id: string; currencyCode: string },
  {
    customerIds,
    sources,
    spent,
    amountMinor,
  }: {
    customerIds: Iterable<string>;
    sources: ReadonlySet<string>;
    spent: readonly SpentCredit[];
    amountMinor: bigint;
  },
): void {
  let leftMinor = amountMinor;
  for (const customerId of customerIds) {
    const wallet = books.wallets.get(walletKey(customerId, payment.currencyCode));
    for (const lot of wallet ? books.lotsOf(wallet.id) : []) {
      if (lot.sourceTransactionId !== payment.id || !sources.has(lot.sourceIntentId ?? '')) continue;
      const backMinor = freeCredit(books, lot, spent, leftMinor);
      if (wallet && backMinor > 0n) withdrawLot(books, wallet, lot, backMinor, payment.id);
      leftMinor -= backMinor;
    }
  }
}

/**
 * Reverses what a lot has paid as far as it has less than `limitMinor` left, the last to be due first. Returns how much of that it has then.
 */
export function freeCredit(books: Books, lot: Lot, spent: readonly SpentCredit[], limitMinor: bigint): bigint {
  const uses = spent
    .filter(({ lotId }) => lotId === lot.id)
    .map(({ intentId, amountMinor }) => ({ intent: books.intent(intentId), amountMinor }))
    .sort((a, b) => oldestDueFirst(b.intent, a.intent));
  for (const { intent, amountMinor } of uses) {
    const lackingMinor = least(amountMinor, limitMinor - lot.remainingMinor);
    if (lackingMinor > 0n) reverseCredit(books, intent, [{ lotId: lot.id, amountMinor: lackingMinor }]);
  }
  return least(lot.remainingMinor, limitMinor);
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** What is left of the credit that a credit note has become leaves the wallet: the note owes it again. */
export function withdrawNote(books: Books, wallet: Wallet, note: Intent): void {
  for (const lot of books.lotsOf(wallet.id))
    if (lot.sourceIntentId === note.id && lot.remainingMinor > 0n) withdrawFrom(books, wallet, lot, lot.remainingMinor);
}

/** So much of the credit that a document has become leaves the wallet, and is owed by the document again. */
export const withdrawFrom = (books: Books, wallet: Wallet, lot: Lot, amountMinor: bigint): void =>
  withdrawLot(books, wallet, lot, amountMinor, lot.sourceTransactionId, 'credit_note');

function withdrawLot(
  books: Books,
  wallet: Wallet,
  lot: Lot,
  amountMinor: bigint,
  transactionId: string | null,
  type?: 'credit_note',
): void {
  const intentId = lot.sourceIntentId;
  invariant(intentId !== null, 'the credit of a payment came by an intent');
  const intent = books.intent(intentId);
  const uses = [{ lotId: lot.id, amountMinor }];
  useLots(books, wallet, uses);
  const isTopUp = intent.topUpId !== null;
  const line = move(books, wallet, {
    type: type ?? (isTopUp ? 'top_up' : 'overpayment'),
    amountMinor: -amountMinor,
    origin: lot.origin,
    intentId,
    invoiceId: intent.invoiceId,
    transactionId,
    uses,
  });
  books.operations.push(
    walletToReceivable({ id: line.id, customerId: wallet.customerId, currencyCode: wallet.currencyCode, amountMinor }),
  );
  if (!isTopUp) books.allocate(intent, 'from_wallet', amountMinor, { walletTransactionId: line.id, transactionId });
}
