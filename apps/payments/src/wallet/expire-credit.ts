import { completeDueMany, Database, type DueBatch, DueHandler } from '@kontor/persistence';
import { CustomerBooks } from '../customer-books/customer-books.js';
import { lockCustomers } from '../customer-books/lock-customers.js';
import { expireCredit } from '../domain/wallet/credit.js';
import { EXPIRE_CREDIT } from '../due-kinds.js';

/** Books out credit whose last day has come. Until then it already pays nothing. */
@DueHandler({ kind: EXPIRE_CREDIT, batchSize: 100 })
export class ExpireCredit {
  constructor(
    private readonly database: Database,
    private readonly customerBooks: CustomerBooks,
  ) {}

  async handle(batch: DueBatch): Promise<void> {
    await this.database.tenant(
      batch.tenantId,
      async (tx) => {
        const owners = await tx.query<{ customerId: string }>(
          `SELECT DISTINCT w.customer_id AS "customerId" FROM wallet_lot l
            JOIN wallet w ON w.tenant_id = l.tenant_id AND w.id = l.wallet_id
           WHERE l.tenant_id = $1 AND l.id = ANY ($2::uuid[])`,
          [tx.tenantId, batch.items.map((item) => item.ref)],
        );
        const customerIds = owners.map((row) => row.customerId);
        await lockCustomers(tx, customerIds);
        const books = await this.customerBooks.load(tx, { customerIds });
        for (const wallet of [...books.wallets.values()]) expireCredit(books, wallet);
        if (books.operations.length > 0) await this.customerBooks.save(tx, books);
        await completeDueMany(
          tx,
          EXPIRE_CREDIT,
          batch.items.map((item) => ({ item, nextDueAt: null })),
        );
      },
      { now: batch.now },
    );
  }
}
