import { invariant, newUuid } from '@kontor/kernel';
import { scheduleDue, scheduleDueMany, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { CustomerBooks } from '../customer-books/customer-books.js';
import { lockOwners } from '../customer-books/lock-payment.js';
import { intents } from '../customer-books/intent.row.js';
import { transactions } from '../customer-books/transaction.row.js';
import { methods } from '../payment-methods/payment-method.row.js';
import { changeMethod, SUPERSEDED } from '../domain/collections/collections.js';
import { methodFor } from '../domain/payment-methods/payment-method.js';
import { CANCEL_CHARGE, COLLECT } from '../due-kinds.js';
import { StartRefunds } from '../refunds/start-refunds.js';

/**
 * Gives the open intent of a document the method that was chosen for it, and lets it collect (or refund) what is open.
 */
@Injectable()
export class ChangeIntentMethod {
  constructor(
    private readonly customerBooks: CustomerBooks,
    private readonly refunds: StartRefunds,
  ) {}

  /** `methodId` null: the customer's default. A document that is paid, or just being collected, stays as it is. */
  async execute(tx: TenantTx, invoiceId: string, methodId: string | null): Promise<void> {
    await lockOwners(tx, [invoiceId]);
    const [found] = await intents.where(tx, 'invoice_id = $2', [invoiceId]);
    invariant(found, `the unpaid document ${invoiceId} has an intent`);
    const { customerId } = found;
    const [candidate] =
      methodId === null
        ? await methods.where(tx, 'customer_id = $2 AND is_default AND deleted_at IS NULL', [customerId])
        : await methods.where(tx, 'id = $2 AND deleted_at IS NULL', [methodId]);
    const method = methodFor(customerId, candidate, methodId !== null, candidate);
    const underWay = await transactions.where(
      tx,
      `intent_id = $2 AND status IN ('pending', 'action_required') ORDER BY id`,
      [found.id],
    );
    const books = await this.customerBooks.load(tx, {
      customerIds: [customerId],
      intentIds: [found.id],
      transactions: underWay,
      crediting: found.amountMinor < 0n ? [customerId] : [],
    });
    const intent = books.intent(found.id);
    const collectionId = newUuid();
    intent.methodIsNamed = methodId !== null;
    if (!changeMethod(books, intent, method, collectionId) && intent.amountMinor > 0n) return;
    const sent = intent.amountMinor < 0n ? await this.refunds.plan(tx, books, [{ intent, method }]) : null;
    await this.customerBooks.save(tx, books);
    await sent?.(tx);
    if (intent.amountMinor > 0n && books.newTransactions.size > 0)
      await scheduleDue(tx, { kind: COLLECT, ref: collectionId, dueAt: tx.now });
    await scheduleDueMany(
      tx,
      underWay.flatMap((t) =>
        t.failReason === SUPERSEDED && t.reference !== null
          ? [{ kind: CANCEL_CHARGE, ref: t.id, dueAt: new Date(), wall: true }]
          : [],
      ),
    );
  }
}
