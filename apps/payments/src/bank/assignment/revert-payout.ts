import { invalidTransition } from '@kontor/kernel';
import { type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { CustomerBooks } from '../../customer-books/customer-books.js';
import { allocations } from '../../customer-books/allocation.row.js';
import { transactions } from '../../customer-books/transaction.row.js';
import { payoutReverted } from '../../domain/bank/bank-postings.js';

/** Money that had gone out for a credit note by a statement line is not it any more: the note owes it again. */
@Injectable()
export class RevertPayout {
  constructor(private readonly customerBooks: CustomerBooks) {}

  /**
   * What one document had got of it; in the caller's transaction, with {@link lockPayment}.
   * @throws DomainError `invalid_status_transition`
   */
  async execute(tx: TenantTx, transactionId: string, intentId: string): Promise<void> {
    const payout = await transactions.get(tx, transactionId);
    const moved = await allocations.where(tx, `transaction_id = $2 AND kind = 'payout'`, [transactionId]);
    const left = (id: string): bigint =>
      -moved
        .filter((allocation) => allocation.intentId === id)
        .reduce((sum, allocation) => sum + allocation.amountMinor, 0n);
    const amountMinor = left(intentId);
    if (payout?.status !== 'succeeded' || amountMinor <= 0n)
      throw invalidTransition('transaction', payout?.status ?? 'unknown', 'unassign');
    const books = await this.customerBooks.load(tx, {
      customerIds: [payout.customerId],
      intentIds: [intentId],
      transactions: [payout],
    });
    if (moved.every((allocation) => allocation.intentId === intentId || left(allocation.intentId) === 0n)) {
      payout.status = 'returned';
      books.touchTransaction(payout);
    }
    const document = books.intent(intentId);
    const { customerId } = document;
    books.operations.push(payoutReverted({ ...payout, id: `${payout.id}:${intentId}`, customerId, amountMinor }));
    books.allocate(document, 'payout', amountMinor, { transactionId: payout.id });
    await this.customerBooks.save(tx, books);
  }
}
