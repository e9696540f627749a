import { DomainError } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { lockPayment } from '../../customer-books/lock-payment.js';
import { transactions } from '../../customer-books/transaction.row.js';
import { lineFee, lineSettlesGateway } from '../../domain/bank/bank-postings.js';
import type { BankTransaction } from '../../domain/bank/bank-transaction.js';
import { returnReasonInWords } from '../../domain/bank/import/return-codes.js';
import { bookAll } from '../../ledger/index.js';
import { ReturnPayout } from '../../returns/return-payout.js';
import { SettleOrders } from '../../sepa/settle-orders.js';
import { findPaidOut, type PaidOut, paidOutFor } from './find-paid-out.js';
import { finishLine, lockLine } from './finish-line.js';

/** Transfers to customers that came back: what was paid out is owed again, as it is of a transfer of our files. */
@Injectable()
export class BookReturnedPayouts {
  constructor(
    private readonly orders: SettleOrders,
    private readonly payouts: ReturnPayout,
  ) {}

  /** Books the line when it is clear what came back; false when it is for a person. */
  async execute(tx: TenantTx, seen: BankTransaction): Promise<boolean> {
    const payout = await findPaidOut(tx, seen);
    return payout !== undefined && this.book(tx, seen, payout);
  }

  /**
   * A person says of which of these documents the money was; of several equal payouts the first is as good as any.
   * @throws DomainError `invoice_not_payable`
   */
  async assign(tx: TenantTx, seen: BankTransaction, invoiceIds: readonly string[]): Promise<void> {
    const [payout] = await paidOutFor(tx, seen, invoiceIds);
    if (!payout || !(await this.book(tx, seen, payout)))
      throw new DomainError('invoice_not_payable', {
        detail: 'Nothing of exactly this amount was paid out for it by bank that this line could bring back.',
      });
  }

  /**
   * The money lies in suspense. What a line had shown go out is taken from there; else it leaves it for the account from which it had gone. What is
   * missing is the bank's fee.
   */
  private async book(tx: TenantTx, seen: BankTransaction, payout: PaidOut): Promise<boolean> {
    const line = await lockLine(tx, seen, await lockPayment(tx, payout.id));
    if (!line) return false;
    const { id, amountMinor, gatewayName } = payout;
    const isShown = ((await transactions.get(tx, id))?.bankTransactionId ?? null) !== null;
    const reasonCode = line.returnReason ?? 'MS03';
    const reason = returnReasonInWords(line.returnReason);
    const isBack = payout.isOrder
      ? await this.orders.returned(tx, id, { reasonCode, reason, feeMinor: 0n })
      : await this.payouts.execute(tx, id, reasonCode);
    if (!isBack) return false;
    const feeMinor = amountMinor - line.amountMinor;
    const operations = [
      ...(isShown ? [] : [lineSettlesGateway({ ...line, amountMinor, key: line.id, gatewayName })]),
      ...(feeMinor > 0n ? [lineFee({ ...line, amountMinor: -feeMinor })] : []),
    ];
    if (operations.length > 0) await bookAll(tx, tx.tenantId, tx.now, operations);
    await finishLine(tx, line, [
      { transactionId: id, intentId: payout.intentId, customerId: payout.customerId, amountMinor },
    ]);
    return true;
  }
}
