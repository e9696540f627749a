import { invalidTransition, validationFailed } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { SettleCollections } from '../collections/settle-collections.js';
import { lockPayment } from '../customer-books/lock-payment.js';
import { transactions } from '../customer-books/transaction.row.js';
import type { PaymentTransaction } from '../domain/customer-books/transaction.js';
import type { PaymentReturn } from '../domain/returns/return-payment.js';
import { BankOrders } from '../gateways/port/bank-orders.js';
import { representTransactions } from '../transactions/represent-transactions.js';
import type { TransactionView } from '../transactions/transaction.schema.js';

/** Money that was paid out, by hand or as a statement line has shown, came back: its documents owe it again. */
@Injectable()
export class ReturnPayout {
  constructor(
    private readonly settleCollections: SettleCollections,
    private readonly bankOrders: BankOrders,
  ) {}

  /** In the transaction of its cause. False when it had come back before. */
  async execute(tx: TenantTx, transactionId: string, reason: string): Promise<boolean> {
    return (await this.settleCollections.execute(tx, new Map([[transactionId, { status: 'declined', reason }]]))) > 0;
  }

  /**
   * Somebody reports it, and no statement line has shown it (yet): the money is where it had gone out from.
   * @throws DomainError `invalid_status_transition` unless it has gone out and has not come back; `validation_failed` for a part of it
   */
  async report(tx: TenantTx, seen: PaymentTransaction, report: PaymentReturn): Promise<TransactionView> {
    const { reason, feeMinor, amountMinor = null } = report;
    if (amountMinor !== null && amountMinor !== seen.amountMinor)
      throw validationFailed('amount', 'What was paid out comes back as a whole.', 'amount_not_whole');
    await lockPayment(tx, seen.id);
    const [payout = seen] = await transactions.where(tx, 'id = $2', [seen.id]);
    // Of one that is under way its gateway says what becomes of it, or the file that it is in.
    if (payout.status !== 'succeeded') throw invalidTransition('transaction (refund)', payout.status, 'return');
    await this.settleCollections.execute(
      tx,
      new Map([[payout.id, { status: 'declined', reason, reported: { feeMinor } }]]),
    );
    await this.bankOrders.noteReturned(tx, payout.id, reason);
    const back = await transactions.where(tx, 'id = $2', [payout.id]);
    return (await representTransactions(tx, back, this.bankOrders))[0]!;
  }
}
