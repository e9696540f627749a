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
  /** Their refunds that are about to go out. */
  readonly refunds: readonly PendingRefund[];
  /** Those whose transfer is in no file yet: to be in the books, as {@link intentIds} are. */
  readonly waiting: readonly TransactionRow[];
  readonly intentIds: readonly string[];
}

interface PendingRefund {
  readonly id: string;
  readonly invoiceIntentId: string;
}

/** Refunds of invoices that are open again: no more goes out than still pays them. */
@Injectable()
export class StopRefunds {
  constructor(private readonly bankOrders: BankOrders) {}

  /** As far as these customers, who are locked, are concerned. */
  async load(
    tx: TenantTx,
    invoiceIntentIds: readonly string[],
    customerIds: readonly string[],
  ): Promise<ReopenedInvoices> {
    const promises = await loadPromised(tx, invoiceIntentIds, customerIds);
    const refunds = invoiceIntentIds.length > 0 ? await pendingRefundsOf(tx, invoiceIntentIds, customerIds) : [];
    const waiting = await this.findStoppable(tx, refunds);
    const intentIds = [
      ...promises.documents.map((document) => document.id),
      ...waiting.flatMap((transaction) => transaction.intentId ?? []),
    ];
    return { promises, refunds, waiting, intentIds };
  }

  /** Refunds whose transfer is in no file yet. */
  private async findStoppable(tx: TenantTx, refunds: readonly PendingRefund[]): Promise<TransactionRow[]> {
    if (refunds.length === 0) return [];
    const waiting = await this.bankOrders.findWaiting(
      tx,
      refunds.map(({ id }) => id),
    );
    return transactions.findByIds(tx, [...waiting]);
  }
}

/** Stops them for one of the invoices, and returns what has stopped. */
export function stopRefundsOf(
  books: Books,
  invoiceIntentId: string,
  { promises, refunds, waiting }: ReopenedInvoices,
  reason: string,
): PaymentTransaction[] {
  const its = refunds.filter((refund) => refund.invoiceIntentId === invoiceIntentId);
  // Several things may open an invoice again by one decision: what has stopped does not stop once more.
  const stoppable = waiting.filter(({ id, status }) => status === 'pending' && its.some((refund) => refund.id === id));
  return stopRefunds(
    books,
    books.intent(invoiceIntentId),
    promisedOf(books, invoiceIntentId, promises),
    stoppable,
    reason,
  );
}

/** Refunds of these intents' invoices that are about to go out, by documents of these customers, who are locked. */
function pendingRefundsOf(
  tx: TenantTx,
  intentIds: readonly string[],
  customerIds: readonly string[],
): Promise<PendingRefund[]> {
  return tx.query<PendingRefund>(
    `SELECT t.id, i.id AS "invoiceIntentId"
     FROM payment_intent i JOIN payment_intent d ON d.tenant_id = $1 AND d.referenced_invoice_id = i.invoice_id
     JOIN payment_transaction t ON t.tenant_id = $1 AND t.intent_id = d.id AND t.type = 'refund' AND t.status = 'pending'
     WHERE i.tenant_id = $1 AND i.id = ANY ($2::uuid[]) AND d.customer_id = ANY ($3::uuid[]) ORDER BY t.id`,
    [tx.tenantId, intentIds, customerIds],
  );
}
