import { intentChangedV1, walletChangedV1 } from '@kontor/contracts';
import { appendEvents } from '@kontor/messaging';
import type { TenantTx } from '@kontor/persistence';
import type { Books } from '../domain/customer-books/books.js';
import { bookAll } from '../ledger/index.js';
import { intentEvents, walletEvents } from './books-events.js';
import { allocations } from './allocation.row.js';
import { intents } from './intent.row.js';
import { lots } from './lot.row.js';
import { transactions } from './transaction.row.js';
import { wallets } from './wallet.row.js';
import { walletTransactions } from './wallet-transaction.row.js';
import type { BooksReactions, NotifiedPayment } from './reactions.js';

/**
 * Saves a decision: ledger, rows, events and what others do about it, each by one statement for all customers.
 * Everything happens in the caller's transaction, so a decision is there as a whole or not at all.
 */
export async function saveBooks(tx: TenantTx, books: Books, reactions: BooksReactions): Promise<void> {
  for (const react of reactions.beforeSaving) await react(tx, books);
  const payments = await reactions.loadNotifiedPayments(tx, books);
  // Asked for at once: while the database books, the rows and events are put into words.
  await Promise.all([bookAll(tx, tx.tenantId, books.now, books.operations), saveRows(tx, books, payments)]);
  for (const react of reactions.afterSaving) await react(tx, books);
}

async function saveRows(tx: TenantTx, books: Books, payments: ReadonlyMap<string, NotifiedPayment>): Promise<void> {
  const changedWallets = [...books.openedWallets, ...books.changedWallets].filter((wallet) => wallet.sequence > 0);
  const intentChanges = intentEvents(books, payments);
  for (const wallet of changedWallets) wallet.version += 1;
  await Promise.all([
    intents.insert(tx, books.opened),
    intents.update(tx, books.changedIntents),
    transactions.insert(tx, books.newTransactions),
    transactions.update(tx, books.changedTransactions),
    wallets.save(tx, changedWallets),
    walletTransactions.insert(tx, books.walletTransactions),
    lots.insert(tx, books.newLots),
    lots.update(tx, books.changedLots),
    allocations.insert(tx, books.allocations),
    appendEvents(tx, intentChangedV1, intentChanges),
    appendEvents(tx, walletChangedV1, walletEvents(changedWallets, books.walletTransactions)),
  ]);
}
