import { newUuid } from '@kontor/kernel';
import { Database, type DueBatch, DueHandler, eachDueItem, scheduleDue, type TenantTx } from '@kontor/persistence';
import { CustomerBooks } from '../customer-books/customer-books.js';
import { lockCustomers } from '../customer-books/lock-customers.js';
import { intents } from '../customer-books/intent.row.js';
import { methods } from '../payment-methods/payment-method.row.js';
import { changeMethod } from '../domain/collections/collections.js';
import { COLLECT, NEW_DEFAULT } from '../due-kinds.js';

/**
 * A customer whose payment failed has named another default method: what names no method itself is collected by it at
 * once.
 */
@DueHandler({ kind: NEW_DEFAULT, batchSize: 50 })
export class TryNewDefault {
  constructor(
    private readonly database: Database,
    private readonly customerBooks: CustomerBooks,
  ) {}

  handle(batch: DueBatch): Promise<void> {
    return eachDueItem(this.database, batch, NEW_DEFAULT, (tx, item) => this.collect(tx, item.ref));
  }

  private async collect(tx: TenantTx, customerId: string): Promise<void> {
    const failed = `customer_id = $2 AND status = 'failed' AND amount_minor > 0 AND invoice_id IS NOT NULL
      AND NOT coalesce(method_is_named, false)`;
    if ((await intents.where(tx, `${failed} LIMIT 1`, [customerId])).length === 0) return;
    await lockCustomers(tx, [customerId]);
    const [method] = await methods.where(tx, 'customer_id = $2 AND is_default AND deleted_at IS NULL', [customerId]);
    const waiting = method
      ? await intents.where(tx, `${failed} AND payment_method_id IS DISTINCT FROM $3`, [customerId, method.id])
      : [];
    if (!method || waiting.length === 0) return;
    const intentIds = waiting.map((intent) => intent.id);
    const books = await this.customerBooks.load(tx, { customerIds: [customerId], intentIds });
    const collectionId = newUuid();
    for (const id of intentIds) changeMethod(books, books.intent(id), method, collectionId);
    await this.customerBooks.save(tx, books);
    if (books.newTransactions.size > 0) await scheduleDue(tx, { kind: COLLECT, ref: collectionId, dueAt: tx.now });
  }
}
