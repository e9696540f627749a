import { completeDueMany, Database, type DueBatch, DueHandler } from '@kontor/persistence';
import { CustomerBooks } from '../customer-books/customer-books.js';
import { bookHolders } from '../customer-books/lock-customers.js';
import { lockFound } from '../customer-books/lock-payment.js';
import { applyCredit } from '../domain/wallet/apply-credit.js';
import { APPLY_CREDIT } from '../due-kinds.js';

/** A setting was switched on: credit that is there pays what is open. @see docs/rules/payments.md#credit-application */
@DueHandler({ kind: APPLY_CREDIT, batchSize: 100 })
export class ApplyCredit {
  constructor(
    private readonly database: Database,
    private readonly customerBooks: CustomerBooks,
  ) {}

  async handle(batch: DueBatch): Promise<void> {
    const refs = batch.items.map((item) => item.ref);
    await this.database.tenant(
      batch.tenantId,
      async (tx) => {
        // What was due of a customer that is merged by now is due of whom it was merged into.
        const customerIds = await lockFound(tx, async () => refs.map(await bookHolders(tx, refs)));
        const books = await this.customerBooks.load(tx, { customerIds });
        for (const wallet of [...books.wallets.values()]) applyCredit(books, wallet.customerId, wallet.currencyCode);
        if (books.operations.length > 0) await this.customerBooks.save(tx, books);
        await completeDueMany(
          tx,
          APPLY_CREDIT,
          batch.items.map((item) => ({ item, nextDueAt: null })),
        );
      },
      { now: batch.now },
    );
  }
}
