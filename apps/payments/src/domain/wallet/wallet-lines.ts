import { invariant } from '@kontor/kernel';
import { mustCarry } from '../customer-books/amount-range.js';
import type { Books } from '../customer-books/books.js';
import { type Lot, type LotUse, take } from '../customer-books/lots.js';
import type { Wallet, WalletTransaction } from '../customer-books/wallet.js';

type Movement = Pick<WalletTransaction, 'type' | 'amountMinor' | 'origin'> &
  Partial<Pick<WalletTransaction, 'intentId' | 'invoiceId' | 'transactionId' | 'description' | 'uses'>>;

/** One line of a wallet; the balance follows. @throws DomainError `amount_out_of_range` */
export function move(books: Books, wallet: Wallet, movement: Movement): WalletTransaction {
  mustCarry(wallet.balanceMinor + movement.amountMinor, 'The balance of the wallet');
  wallet.balanceMinor += movement.amountMinor;
  wallet.sequence += 1;
  invariant(wallet.balanceMinor >= 0n, 'a wallet is never overdrawn');
  const line: WalletTransaction = {
    id: books.newId(),
    walletId: wallet.id,
    customerId: wallet.customerId,
    currencyCode: wallet.currencyCode,
    balanceAfterMinor: wallet.balanceMinor,
    sequence: wallet.sequence,
    intentId: null,
    invoiceId: null,
    transactionId: null,
    description: null,
    uses: [],
    createdAt: books.now,
    ...movement,
  };
  books.walletTransactions.push(line);
  books.touchWallet(wallet);
  return line;
}

/**
 * What makes credit given by hand special: promotional credit is used first; it ends on its own last day, else as the
 * setting says. Money that was paid in never ends.
 */
export interface CreditTerms {
  readonly promotional?: boolean;
  readonly expiresAt?: Date | null;
}

/** Puts new credit into a wallet as a lot of its own. `amountMinor` is more than zero. */
export function addLot(
  books: Books,
  wallet: Wallet,
  movement: Movement & { amountMinor: bigint },
  terms: CreditTerms = {},
): WalletTransaction {
  const line = move(books, wallet, movement);
  const lot: Lot = {
    id: line.id,
    walletId: wallet.id,
    sourceTransactionId: movement.transactionId ?? null,
    sourceIntentId: movement.intentId ?? null,
    origin: movement.origin,
    promotional: terms.promotional ?? false,
    expiresAt: terms.expiresAt ?? null,
    amountMinor: movement.amountMinor,
    remainingMinor: movement.amountMinor,
    ordinal: line.sequence,
    createdAt: books.now,
  };
  books.lotsOf(wallet.id).push(lot);
  books.newLots.add(lot);
  return line;
}

export function useLots(books: Books, wallet: Wallet, uses: readonly LotUse[]): void {
  const lots = books.lotsOf(wallet.id);
  take(lots, uses);
  books.touchLots(lots.filter((lot) => uses.some((use) => use.lotId === lot.id)));
}
