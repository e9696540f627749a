import { newUuid } from '@kontor/kernel';
import {
  Database,
  type DueBatch,
  DueHandler,
  eachDueItem,
  type DueItem,
  scheduleDue,
  type TenantTx,
} from '@kontor/persistence';
import { CustomerBooks } from '../customer-books/customer-books.js';
import { lockCustomers } from '../customer-books/lock-customers.js';
import { intents } from '../customer-books/intent.row.js';
import { methods } from '../payment-methods/payment-method.row.js';
import { startCollection } from '../domain/collections/collections.js';
import { COLLECT, RETRY_COLLECTION } from '../due-kinds.js';

/**
 * Tries a failed collection again on the day that the schedule says. Not when it was paid, cancelled or given another
 * method meanwhile, nor when its method is gone.
 */
@DueHandler({ kind: RETRY_COLLECTION, batchSize: 100 })
export class RetryCollection {
  constructor(
    private readonly database: Database,
    private readonly customerBooks: CustomerBooks,
  ) {}

  handle(batch: DueBatch): Promise<void> {
    return eachDueItem(this.database, batch, RETRY_COLLECTION, (tx, item) => this.retry(tx, item));
  }

  private async retry(tx: TenantTx, item: DueItem): Promise<void> {
    const seen = await intents.get(tx, item.ref);
    if (!seen) return;
    await lockCustomers(tx, [seen.customerId]);
    const books = await this.customerBooks.load(tx, { customerIds: [seen.customerId], intentIds: [seen.id] });
    const intent = books.intent(seen.id);
    if (intent.status !== 'failed' || intent.nextRetryAt === null || intent.nextRetryAt > tx.now) return;
    const [method] = await methods.where(tx, 'id = $2 AND deleted_at IS NULL', [intent.paymentMethodId]);
    const collectionId = newUuid();
    const started = method ? startCollection(books, intent, method, collectionId) : undefined;
    if (!started) {
      intent.nextRetryAt = null;
      books.touch(intent);
    }
    await this.customerBooks.save(tx, books);
    if (started) await scheduleDue(tx, { kind: COLLECT, ref: collectionId, dueAt: tx.now });
  }
}
