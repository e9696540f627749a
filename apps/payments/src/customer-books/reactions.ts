import type { TenantTx } from '@kontor/persistence';
import type { Books, Unsent } from '../domain/customer-books/books.js';

/** What another room does about a decision. It reads and writes nothing where the decision does not concern it. */
export type BooksReaction = (tx: TenantTx, books: Books) => Promise<void>;

/** A payment as GET answers it: a webhook carries the same. */
export type NotifiedPayment = Readonly<Record<string, unknown>>;

/**
 * What happens whenever customers' books are loaded and saved, given at composition: this room knows none of it. Reactions run one
 * after the other, in the order of the lists, in the transaction of the decision; one that fails undoes the decision.
 */
export abstract class BooksReactions {
  /** What waits for a file for the bank, of what is under way for these intents. */
  abstract readonly loadUnsent: (tx: TenantTx, intentIds: readonly string[]) => Promise<readonly Unsent[]>;
  /** Before anything is written: they may decide more in the same books, which are then saved as one. */
  abstract readonly beforeSaving: readonly BooksReaction[];
  /** The payments that the decision's notices carry, by id. */
  abstract readonly loadNotifiedPayments: (tx: TenantTx, books: Books) => Promise<ReadonlyMap<string, NotifiedPayment>>;
  /** After rows and events are written; the books do not change any more. */
  abstract readonly afterSaving: readonly BooksReaction[];
}
