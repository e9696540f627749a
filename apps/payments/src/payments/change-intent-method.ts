import { invariant, newUuid } from '@kontor/kernel';
import { Replicas, scheduleDue, scheduleDueMany, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { loadBooks } from '../db/load-books.js';
import { lockCustomers } from '../db/lock-customers.js';
import { saveBooks } from '../db/save-books.js';
import { intents, methods, transactions } from '../db/tables.js';
import { changeMethod, SUPERSEDED } from '../domain/collections.js';
import { methodFor } from '../domain/payment-method.js';
import { CANCEL_CHARGE, COLLECT } from './due-kinds.js';
import { StartRefunds } from './start-refunds.js';

/** Gives the open intent of a document the method that was chosen for it, and lets it collect (or give back) what is open. */
@Injectable()
export class ChangeIntentMethod {
  constructor(
    private readonly replicas: Replicas,
    private readonly refunds: StartRefunds,
  ) {}

  /** `methodId` null: the customer's default. A document that is paid, or just being collected, stays as it is. */
  async execute(tx: TenantTx, invoiceId: string, methodId: string | null): Promise<void> {
    const [found] = await intents.find(tx, 'invoice_id = $2', [invoiceId]);
    invariant(found, `the unpaid document ${invoiceId} has an intent`);
    const { customerId } = found;
    await lockCustomers(tx, [customerId]);
    const [candidate] =
      methodId === null
        ? await methods.find(tx, 'customer_id = $2 AND is_default AND deleted_at IS NULL', [customerId])
        : await methods.find(tx, 'id = $2 AND deleted_at IS NULL', [methodId]);
    const method = methodFor(customerId, candidate, methodId !== null, candidate);
    const underWay = await transactions.find(tx, `intent_id = $2 AND status IN ('pending', 'action_required') ORDER BY id`, [found.id]);
    const books = await loadBooks(this.replicas, tx, {
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
    await saveBooks(tx, books);
    await sent?.(tx);
    if (intent.amountMinor > 0n && books.newTransactions.size > 0)
      await scheduleDue(tx, { kind: COLLECT, ref: collectionId, dueAt: tx.now });
    await scheduleDueMany(
      tx,
      underWay.flatMap((t) =>
        t.failReason === SUPERSEDED && t.reference !== null ? [{ kind: CANCEL_CHARGE, ref: t.id, dueAt: new Date(), wall: true }] : [],
      ),
    );
  }
}
