import { invariant } from '@kontor/kernel';
import type { Books } from '../customer-books/books.js';
import { type Intent, oldestDueFirst } from '../customer-books/intent.js';
import { groupByOrigin, type LotUse, planUse, refill, usableMinor } from '../customer-books/lots.js';
import { type Wallet, walletKey } from '../customer-books/wallet.js';
import { receivableToWallet, walletToReceivable } from '../ledger/postings.js';
import { move, useLots } from './wallet-lines.js';

/**
 * Credit pays the customer's open invoices of its currency, oldest due first (ties by number), each
 * completely before the next; the last may be part-paid. What a gateway is just collecting is left alone.
 * @see docs/rules/payments.md#credit-application
 */
export function applyCredit(books: Books, customerId: string, currencyCode: string): void {
  const wallet = books.wallets.get(walletKey(customerId, currencyCode));
  if (!wallet || !books.rulesOf(customerId).applyAutomatically) return;
  const lots = books.lotsOf(wallet.id);
  let leftMinor = usableMinor(lots, books.now);
  if (leftMinor === 0n) return;
  const waiting = [...books.intents.values()]
    .filter(
      (i) =>
        i.customerId === customerId &&
        i.currencyCode === currencyCode &&
        i.invoiceId !== null &&
        books.creditableMinor(i) > 0n,
    )
    .sort(oldestDueFirst);
  for (const intent of waiting) {
    if (leftMinor === 0n) break;
    const wanted = books.creditableMinor(intent);
    const amountMinor = wanted < leftMinor ? wanted : leftMinor;
    payWithCredit(books, wallet, intent, amountMinor);
    leftMinor -= amountMinor;
  }
}

function payWithCredit(books: Books, wallet: Wallet, intent: Intent, amountMinor: bigint): void {
  const lots = books.lotsOf(wallet.id);
  const plan = planUse(lots, amountMinor, books.now);
  invariant(plan, 'no more credit is used than there is');
  useLots(books, wallet, plan);
  for (const group of groupByOrigin(lots, plan)) {
    const line = move(books, wallet, {
      type: 'invoice_payment',
      amountMinor: -group.amountMinor,
      origin: group.origin,
      intentId: intent.id,
      invoiceId: intent.invoiceId,
      uses: group.uses,
    });
    books.operations.push(
      walletToReceivable({
        id: line.id,
        customerId: wallet.customerId,
        currencyCode: wallet.currencyCode,
        amountMinor: group.amountMinor,
      }),
    );
    intent.creditAppliedMinor += group.amountMinor;
    books.allocate(intent, 'credit', group.amountMinor, { walletTransactionId: line.id });
  }
}

/** Gives credit that paid an intent back to the very lots it came from; the intent is open again by it. */
export function reverseCredit(books: Books, intent: Intent, paid: readonly LotUse[]): void {
  const wallet = books.walletFor(intent.customerId, intent.currencyCode);
  const lots = books.lotsOf(wallet.id);
  for (const { origin, uses, amountMinor } of groupByOrigin(lots, paid)) {
    refill(lots, uses);
    books.touchLots(lots.filter((lot) => uses.some((use) => use.lotId === lot.id)));
    const line = move(books, wallet, {
      type: 'invoice_payment_reversal',
      amountMinor,
      origin,
      intentId: intent.id,
      invoiceId: intent.invoiceId,
      uses,
    });
    books.operations.push(
      receivableToWallet({
        id: line.id,
        customerId: wallet.customerId,
        currencyCode: wallet.currencyCode,
        amountMinor,
      }),
    );
    intent.creditAppliedMinor -= amountMinor;
    books.allocate(intent, 'credit_reversed', -amountMinor, { walletTransactionId: line.id });
  }
}
