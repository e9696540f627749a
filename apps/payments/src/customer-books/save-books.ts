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
import type { BooksReactions } from './reactions.js';

/**
 * Saves a decision: ledger, rows, events and what others do about it, each by one statement for all customers.
 * Everything happens in the caller's transaction, so a decision is there as a whole or not at all.
 */
export async function saveBooks(tx: TenantTx, books: Books, reactions: BooksReactions): Promise<void> {
  for (const react of reactions.beforeSaving) await react(tx, books);
  await bookAll(tx, tx.tenantId, books.now, books.operations);
  const changedWallets = [...books.openedWallets, ...books.changedWallets].filter((wallet) => wallet.sequence > 0);
  const intentChanges = intentEvents(books, await reactions.loadNotifiedPayments(tx, books));
  for (const wallet of changedWallets) wallet.version += 1;
  await intents.insert(tx, books.opened);
  await intents.update(tx, books.changedIntents);
  await transactions.insert(tx, books.newTransactions);
  await transactions.update(tx, books.changedTransactions);
  await wallets.save(tx, changedWallets);
  await walletTransactions.insert(tx, books.walletTransactions);
  await lots.insert(tx, books.newLots);
  await lots.update(tx, books.changedLots);
  await allocations.insert(tx, books.allocations);
  await appendEvents(tx, intentChangedV1, intentChanges);
  await appendEvents(tx, walletChangedV1, walletEvents(changedWallets));
  for (const react of reactions.afterSaving) await react(tx, books);
}
