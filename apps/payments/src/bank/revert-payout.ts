import { invalidTransition } from '@kontor/kernel';
import { Replicas, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { loadBooks } from '../db/load-books.js';
import { saveBooks } from '../db/save-books.js';
import { allocations, transactions } from '../db/tables.js';
import { payoutReverted } from '../domain/bank/bank-postings.js';

/** Money that had gone out for a credit note by a statement line is not it any more: the note owes it again. */
@Injectable()
export class RevertPayout {
  constructor(private readonly replicas: Replicas) {}

  /** What one document had got of it; in the caller's transaction, the customer locked. @throws DomainError `invalid_status_transition` */
  async execute(tx: TenantTx, transactionId: string, intentId: string): Promise<void> {
    const [payout] = await transactions.find(tx, 'id = $2', [transactionId]);
    const moved = await allocations.find(tx, `transaction_id = $2 AND kind = 'payout'`, [transactionId]);
    const left = (id: string): bigint => -moved.filter((one) => one.intentId === id).reduce((sum, one) => sum + one.amountMinor, 0n);
    const amountMinor = left(intentId);
    if (payout?.status !== 'succeeded' || amountMinor <= 0n)
      throw invalidTransition('transaction', payout?.status ?? 'unknown', 'unassign');
    const books = await loadBooks(this.replicas, tx, { customerIds: [payout.customerId], intentIds: [intentId], transactions: [payout] });
    if (moved.every((one) => one.intentId === intentId || left(one.intentId) === 0n)) {
      payout.status = 'returned';
      books.touchTransaction(payout);
    }
    books.operations.push(payoutReverted({ ...payout, id: `${payout.id}:${intentId}`, amountMinor }));
    books.allocate(books.intent(intentId), 'payout', amountMinor, { transactionId: payout.id });
    await saveBooks(tx, books);
  }
}
