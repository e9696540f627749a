import { invalidTransition, notFound } from '@kontor/kernel';
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

  /** {@link execute} in the transaction of its cause. `intentId`: only what this one of its intents got goes back. */
  async executeIn(
    tx: TenantTx,
    id: string,
    read: (currencyCode: string) => PaymentReturn,
    intentId: string | null = null,
  ): Promise<TransactionView> {
    const [seen] = await transactions.find(tx, 'id = $2', [id]);
    if (!seen) throw notFound('The transaction');
    await lockCustomers(tx, [seen.customerId]);
    const rows = await transactions.find(tx, 'id = $2', [id]);
    const payment = rows[0] ?? seen;
    const standing = await standingParts(tx, id);
    const paid = standing.filter((part) => intentId === null || part.intentId === intentId);
    if (paid.length === 0 && intentId !== null) throw invalidTransition('transaction (payment)', 'returned', 'return');
    const brought = (await lots.find(tx, 'source_transaction_id = $2', [id])).filter((lot) => paid.some((part) => part.intentId === lot.sourceIntentId)); // prettier-ignore
    const spent = await this.findSpent(tx, brought);
    const customerIds = [payment.customerId];
    const books = await loadBooks(this.replicas, tx, {
      customerIds,
      intentIds: [...new Set([...paid, ...spent].map((part) => part.intentId))],
      crediting: customerIds,
      transactions: [payment],
      lots: brought,
    });
    const keptMinor = standing.reduce((sum, part) => (paid.includes(part) ? sum : sum + part.amountMinor), 0n);
    const back = returnPayment(books, payment, { paid, spent, keptMinor }, read(payment.currencyCode));
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

interface Part {
  readonly intentId: string;
  readonly amountMinor: bigint;
}

/** What the payment's intents got and have not given back, in the order in which they got it. */
async function standingParts(tx: TenantTx, paymentId: string): Promise<Part[]> {
  const parts = await allocations.find(tx, `transaction_id = $2 AND kind = 'payment' ORDER BY id`, [paymentId]);
  if (parts.length < 2) return parts;
  const gone = await tx.query<{ intentId: string }>(
    `SELECT intent_id AS "intentId" FROM payment_allocation WHERE tenant_id = $1 AND kind = 'return' AND transaction_id = ANY (ARRAY(
       SELECT r.id FROM payment_transaction r WHERE r.tenant_id = $1 AND r.returned_transaction_id = $2))`,
    [tx.tenantId, paymentId],
  );
  return parts.filter((part) => !gone.some((one) => one.intentId === part.intentId));
}
