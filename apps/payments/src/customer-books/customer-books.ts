import { Replicas, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import type { Books } from '../domain/customer-books/books.js';
import { type BooksWanted, loadBooks } from './load-books.js';
import { BooksReactions } from './reactions.js';
import { saveBooks } from './save-books.js';

/**
 * The books of customers: locked by {@link lockCustomers}, loaded for a decision, saved with what others do about it.
 */
@Injectable()
export class CustomerBooks {
  constructor(
    private readonly replicas: Replicas,
    private readonly reactions: BooksReactions,
  ) {}

  load(tx: TenantTx, wanted: BooksWanted): Promise<Books> {
    return loadBooks({ replicas: this.replicas, reactions: this.reactions }, tx, wanted);
  }

  save(tx: TenantTx, books: Books): Promise<void> {
    return saveBooks(tx, books, this.reactions);
  }
}
