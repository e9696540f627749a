import type { TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { type TransactionRow, transactions } from '../customer-books/transaction.row.js';
import type { PaymentTransaction } from '../domain/customer-books/transaction.js';
import { BankOrders } from '../gateways/port/bank-orders.js';

/** Money of credit notes that are taken back before it has left: it does not go out any more. */
@Injectable()
export class StopPayouts {
  constructor(private readonly bankOrders: BankOrders) {}

  /** Refunds of these intents whose transfer is in no file yet. Their customers are locked. */
  async find(tx: TenantTx, intentIds: readonly string[]): Promise<TransactionRow[]> {
    if (intentIds.length === 0) return [];
    const pending = await transactions.where(
      tx,
      `intent_id = ANY ($2::uuid[]) AND type = 'refund' AND status = 'pending' ORDER BY id`,
      [intentIds],
    );
    if (pending.length === 0) return [];
    const waiting = await this.bankOrders.findWaiting(
      tx,
      pending.map(({ id }) => id),
    );
    return pending.filter(({ id }) => waiting.has(id));
  }

  /** Cancels their transfers, once the books that stopped them are saved. */
  async cancelTransfers(tx: TenantTx, stopped: readonly PaymentTransaction[]): Promise<void> {
    const [first] = stopped;
    if (!first) return;
    await this.bankOrders.cancelTransfers(
      tx,
      stopped.map(({ id }) => id),
      first.failReason ?? '',
    );
  }
}
