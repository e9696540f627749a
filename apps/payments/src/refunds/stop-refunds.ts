import type { TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { type LoadedPromises, loadPromised, promisedOf } from '../customer-books/load-promised.js';
import { type TransactionRow, transactions } from '../customer-books/transaction.row.js';
import type { Books } from '../domain/customer-books/books.js';
import type { PaymentTransaction } from '../domain/customer-books/transaction.js';
import { stopRefunds } from '../domain/refunds/stop-refunds.js';
import { BankOrders } from '../gateways/port/bank-orders.js';

/** What is promised of invoices that may be open again by a decision. */
export interface ReopenedInvoices {
  readonly promises: LoadedPromises;
  /** Their refunds whose transfer is in no file yet: to be in the books, as {@link intentIds} are. */
  readonly waiting: readonly TransactionRow[];
  readonly intentIds: readonly string[];
}

/**
 * Money that has not left does not go out any more: of credit notes that are taken back, and of invoices that are open again, as far as more
 * would go out than still pays them.
 */
@Injectable()
export class StopRefunds {
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

  /** Of invoices that may be open again, as far as these customers, who are locked, are concerned. */
  async ofReopened(
    tx: TenantTx,
    invoiceIntentIds: readonly string[],
    customerIds: readonly string[],
  ): Promise<ReopenedInvoices> {
    const promises = await loadPromised(tx, invoiceIntentIds, customerIds);
    const intentIds = promises.documents.map(({ id }) => id);
    return { promises, waiting: await this.find(tx, intentIds), intentIds };
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

/** Stops them for one of the invoices, and returns what has stopped. */
export function stopRefundsOf(
  books: Books,
  invoiceIntentId: string,
  { promises, waiting }: ReopenedInvoices,
  reason: string,
): PaymentTransaction[] {
  const promised = promisedOf(books, invoiceIntentId, promises);
  // Several things may open an invoice again by one decision: what has stopped does not stop once more.
  const stoppable = waiting.filter(
    ({ status, intentId }) => status === 'pending' && promised.documents.some(({ id }) => id === intentId),
  );
  return stopRefunds(books, books.intent(invoiceIntentId), promised, stoppable, reason);
}
