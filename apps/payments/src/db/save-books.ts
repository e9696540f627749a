import { intentChangedV1, walletChangedV1 } from '@kontor/contracts';
import { appendEvents } from '@kontor/messaging';
import type { TenantTx } from '@kontor/persistence';
import { scheduleDueMany } from '@kontor/persistence';
import type { Books } from '../domain/books.js';
import { bookAll } from '../ledger/book-transfers.js';
import { replaceCovered } from '../payments/replace-covered.js';
import { toldPayments } from '../payments/told-payments.js';
import { intentEvents, walletEvents } from '../published-events.js';
import { followTopUps } from '../top-ups/follow-top-ups.js';
import { EXPIRE_CREDIT } from '../wallet/due-kinds.js';
import { allocations, intents, lots, transactions, wallets, walletTransactions } from './tables.js';

/**
 * Saves a decision: ledger, rows, events and what falls due, each by one statement for all customers. Everything
 * happens in the caller's transaction, so a decision is there as a whole or not at all.
 */
export async function saveBooks(tx: TenantTx, books: Books): Promise<void> {
  await replaceCovered(tx, books);
  await bookAll(tx, tx.tenantId, books.now, books.operations);
  const changedWallets = [...books.openedWallets, ...books.changedWallets].filter((wallet) => wallet.sequence > 0);
  const intentChanges = intentEvents(books, await toldPayments(tx, books));
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
  await scheduleDueMany(
    tx,
    [...books.newLots].flatMap((lot) => (lot.expiresAt ? [{ kind: EXPIRE_CREDIT, ref: lot.id, dueAt: lot.expiresAt }] : [])),
  );
  await appendEvents(tx, intentChangedV1, intentChanges);
  await appendEvents(tx, walletChangedV1, walletEvents(changedWallets));
  await followTopUps(tx, books);
}
