import { notFound } from '@kontor/kernel';
import { Database, Replicas, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { loadBooks } from '../db/load-books.js';
import { lockCustomers } from '../db/lock-customers.js';
import { saveBooks } from '../db/save-books.js';
import { allocations, lots, methods, transactions } from '../db/tables.js';
import type { SpentCredit } from '../domain/credit.js';
import type { Lot } from '../domain/lots.js';
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
    return this.database.tenant(tenantId, (tx) => this.executeIn(tx, id, read));
  }

  /** {@link execute} in the transaction of its cause. */
  async executeIn(tx: TenantTx, id: string, read: (currencyCode: string) => PaymentReturn): Promise<TransactionView> {
    const [seen] = await transactions.find(tx, 'id = $2', [id]);
    if (!seen) throw notFound('The transaction');
    await lockCustomers(tx, [seen.customerId]);
    const rows = await transactions.find(tx, 'id = $2', [id]);
    const payment = rows[0] ?? seen;
    const parts = await allocations.find(tx, 'transaction_id = $2', [id]);
    const brought = await lots.find(tx, 'source_transaction_id = $2', [id]);
    const spent = await this.findSpent(tx, brought);
    const customerIds = [payment.customerId];
    const intentIds = [...new Set([...parts, ...spent].map((part) => part.intentId))];
    const books = await loadBooks(this.replicas, tx, {
      customerIds,
      intentIds,
      crediting: customerIds,
      transactions: [payment],
      lots: brought,
    });
    const paid = parts.filter((part) => part.kind === 'payment');
    const back = returnPayment(books, payment, { paid, spent }, read(payment.currencyCode));
    await saveBooks(tx, books);
    const [method] = back.paymentMethodId ? await methods.find(tx, 'id = $2', [back.paymentMethodId]) : [];
    return representTransaction(back, books.allocations.filter((a) => a.transactionId === back.id), method ?? null); // prettier-ignore
  }

  /** What invoices have got from these lots and still have. */
  private async findSpent(tx: TenantTx, brought: readonly Lot[]): Promise<SpentCredit[]> {
    if (brought.length === 0) return [];
    return tx.query<SpentCredit>(
      `SELECT t.intent_id AS "intentId", u.use ->> 'lotId' AS "lotId",
         sum(CASE t.type WHEN 'invoice_payment' THEN (u.use ->> 'amountMinor')::bigint ELSE -(u.use ->> 'amountMinor')::bigint END)::bigint AS "amountMinor"
       FROM wallet_transaction t CROSS JOIN LATERAL jsonb_array_elements(t.uses) AS u (use)
       WHERE t.tenant_id = $1 AND t.wallet_id = ANY ($2::uuid[]) AND t.type IN ('invoice_payment', 'invoice_payment_reversal')
         AND u.use ->> 'lotId' = ANY ($3::text[])
       GROUP BY t.intent_id, u.use ->> 'lotId' HAVING sum(CASE t.type WHEN 'invoice_payment' THEN (u.use ->> 'amountMinor')::bigint ELSE -(u.use ->> 'amountMinor')::bigint END) > 0
       ORDER BY t.intent_id`,
      [tx.tenantId, brought.map((lot) => lot.walletId), brought.map((lot) => lot.id)],
    );
  }
}
