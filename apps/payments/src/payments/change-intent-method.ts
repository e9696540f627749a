import { invariant, newUuid } from '@kontor/kernel';
import { Replicas, scheduleDue, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { loadBooks } from '../db/load-books.js';
import { lockCustomers } from '../db/lock-customers.js';
import { saveBooks } from '../db/save-books.js';
import { intents, methods } from '../db/tables.js';
import { changeMethod } from '../domain/collections.js';
import { methodFor } from '../domain/payment-method.js';
import { COLLECT } from './due-kinds.js';

/** Gives the open intent of a document the method that was chosen for it, and lets it collect what is open. */
@Injectable()
export class ChangeIntentMethod {
  constructor(private readonly replicas: Replicas) {}

  /** `methodId` null: the customer's default. A document that is paid, or being collected, stays as it is. */
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
    const books = await loadBooks(this.replicas, tx, { customerIds: [customerId], intentIds: [found.id] });
    const collectionId = newUuid();
    if (!changeMethod(books, books.intent(found.id), method, collectionId)) return;
    await saveBooks(tx, books);
    if (books.newTransactions.size > 0) await scheduleDue(tx, { kind: COLLECT, ref: collectionId, dueAt: tx.now });
  }
}
