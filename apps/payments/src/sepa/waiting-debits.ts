import { newUuid } from '@kontor/kernel';
import { type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { CustomerBooks } from '../customer-books/customer-books.js';
import { methods } from '../payment-methods/payment-method.row.js';
import { transactions } from '../customer-books/transaction.row.js';
import { cancelCollection } from '../domain/collections/cancel-collection.js';
import { collectRest } from '../domain/collections/collections.js';
import { SettleCollections } from '../collections/settle-collections.js';
import { PlanDebits } from './plan-debits.js';
import { type SepaOrder, sepaOrders } from './sepa-order.row.js';

/** Cancels debits that are in no file yet. The customers' books are locked by the caller. */
@Injectable()
export class WaitingDebits {
  constructor(
    private readonly customerBooks: CustomerBooks,
    private readonly settle: SettleCollections,
    private readonly planDebits: PlanDebits,
  ) {}

  /** The mandate cannot be used any more: the collections have failed for that reason. */
  async decline(tx: TenantTx, refused: ReadonlyMap<SepaOrder, string>): Promise<void> {
    if (refused.size === 0) return;
    for (const [order, reason] of refused) cancel(order, reason);
    await sepaOrders.save(tx, refused.keys());
    await this.settle.execute(
      tx,
      new Map([...refused].map(([order, reason]) => [order.id, { status: 'declined', reason, final: true }])),
    );
  }

  /** All that wait for a debit by this method. */
  async declineOf(tx: TenantTx, paymentMethodId: string, reason: string): Promise<void> {
    const waiting = await sepaOrders.where(tx, `payment_method_id = $2 AND status = 'waiting' ORDER BY id`, [
      paymentMethodId,
    ]);
    await this.decline(tx, new Map(waiting.map((order) => [order, reason])));
  }

  /** Other money came first. What is still open waits for a file anew at once, with a date of its own. */
  async replace(tx: TenantTx, superseded: readonly SepaOrder[]): Promise<void> {
    if (superseded.length === 0) return;
    for (const order of superseded) cancel(order, 'already_paid');
    await sepaOrders.save(tx, superseded);
    const ids = superseded.map((order) => order.id);
    const rows = await transactions.where(tx, 'id = ANY ($2::uuid[]) ORDER BY id', [ids]);
    const customerIds = [...new Set(rows.map((row) => row.customerId))];
    const books = await this.customerBooks.load(tx, {
      customerIds,
      intentIds: rows.flatMap((row) => row.intentId ?? []),
      transactions: rows,
    });
    const usable = await methods.where(tx, 'id = ANY ($2::uuid[]) AND deleted_at IS NULL', [
      rows.flatMap((row) => row.paymentMethodId ?? []),
    ]);
    const collectionId = newUuid();
    for (const row of rows) {
      if (row.status !== 'pending' || row.intentId === null) continue;
      cancelCollection(books, row, 'already_paid');
      const method = usable.find((method) => method.id === row.paymentMethodId);
      collectRest(books, books.intent(row.intentId), method, collectionId);
    }
    await this.customerBooks.save(tx, books);
    const started = [...books.newTransactions].map(({ id }) => id);
    if (started.length > 0) await this.settle.execute(tx, await this.planDebits.executeIn(tx, started));
  }
}

function cancel(order: SepaOrder, reason: string): void {
  order.status = 'cancelled';
  order.statusReason = reason;
}
