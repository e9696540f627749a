import { notFound } from '@kontor/kernel';
import { Database, Replicas } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { loadBooks } from '../db/load-books.js';
import { lockCustomers } from '../db/lock-customers.js';
import { saveBooks } from '../db/save-books.js';
import { allocations, methods, transactions } from '../db/tables.js';
import { type PaymentReturn, returnPayment } from '../domain/payments.js';
import { representTransaction, type TransactionView } from './represent-transaction.js';

/** A payment went back to the payer (returned debit, chargeback): its invoices are open again. */
@Injectable()
export class ReturnTransaction {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
  ) {}

  /** `read` turns the request into minor units once the currency is known. @throws DomainError `not_found`, `invalid_status_transition`. */
  execute(tenantId: string, id: string, read: (currencyCode: string) => PaymentReturn): Promise<TransactionView> {
    return this.database.tenant(tenantId, async (tx) => {
      const [seen] = await transactions.find(tx, 'id = $2', [id]);
      if (!seen) throw notFound('The transaction');
      await lockCustomers(tx, [seen.customerId]);
      const rows = await transactions.find(tx, 'id = $2', [id]);
      const payment = rows[0] ?? seen;
      const parts = await allocations.find(tx, 'transaction_id = $2', [id]);
      const customerIds = [payment.customerId];
      const books = await loadBooks(this.replicas, tx, {
        customerIds,
        intentIds: parts.map((part) => part.intentId),
        crediting: customerIds,
        transactions: [payment],
      });
      const paid = parts.filter((part) => part.kind === 'payment');
      const back = returnPayment(books, payment, paid, read(payment.currencyCode));
      await saveBooks(tx, books);
      const [method] = back.paymentMethodId ? await methods.find(tx, 'id = $2', [back.paymentMethodId]) : [];
      return representTransaction(back, books.allocations.filter((a) => a.transactionId === back.id), method ?? null); // prettier-ignore
    });
  }
}
