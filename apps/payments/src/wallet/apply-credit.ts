import { completeDueMany, Database, type DueBatch, DueHandler, Replicas } from '@kontor/persistence';
import { loadBooks } from '../db/load-books.js';
import { lockCustomers } from '../db/lock-customers.js';
import { saveBooks } from '../db/save-books.js';
import { applyCredit } from '../domain/credit.js';
import { APPLY_CREDIT } from './due-kinds.js';

/** Behaviour rule 2 after a setting was switched on: credit that lies there pays what is open. */
@DueHandler({ kind: APPLY_CREDIT, batchSize: 100 })
export class ApplyCredit {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
  ) {}

  async handle(batch: DueBatch): Promise<void> {
    const customerIds = batch.items.map((item) => item.ref);
    await this.database.tenant(
      batch.tenantId,
      async (tx) => {
        await lockCustomers(tx, customerIds);
        const books = await loadBooks(this.replicas, tx, { customerIds });
        for (const wallet of [...books.wallets.values()]) applyCredit(books, wallet.customerId, wallet.currencyCode);
        if (books.operations.length > 0) await saveBooks(tx, books);
        await completeDueMany(tx, APPLY_CREDIT, batch.items.map((item) => ({ item, nextDueAt: null }))); // prettier-ignore
      },
      { now: batch.now },
    );
  }
}
