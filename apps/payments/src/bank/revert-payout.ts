import { invalidTransition } from '@kontor/kernel';
import { Replicas, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { loadBooks } from '../db/load-books.js';
import { saveBooks } from '../db/save-books.js';
import { transactions } from '../db/tables.js';
import { payoutReverted } from '../domain/bank/bank-postings.js';

/** Money that had gone out for a credit note by a statement line is not it any more: the note owes it again. */
@Injectable()
export class RevertPayout {
  constructor(private readonly replicas: Replicas) {}

  /** In the caller's transaction, the customer locked. @throws DomainError `invalid_status_transition` */
  async execute(tx: TenantTx, transactionId: string): Promise<void> {
    const [payout] = await transactions.find(tx, 'id = $2', [transactionId]);
    if (!payout || payout.status !== 'succeeded' || payout.intentId === null)
      throw invalidTransition('transaction', payout?.status ?? 'unknown', 'unassign');
    const books = await loadBooks(this.replicas, tx, {
      customerIds: [payout.customerId],
      intentIds: [payout.intentId],
      transactions: [payout],
    });
    payout.status = 'returned';
    books.touchTransaction(payout);
    books.operations.push(payoutReverted(payout));
    books.allocate(books.intent(payout.intentId), 'payout', payout.amountMinor, { transactionId: payout.id });
    await saveBooks(tx, books);
  }
}
