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
import { stopRefunds } from '../domain/stop-refunds.js';
import type { PaymentTransaction } from '../domain/transaction.js';
import { sepaOrders } from '../sepa/sepa-tables.js';
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
    const refunds = await refundsOf(tx, paid.map((part) => part.intentId)); // prettier-ignore
    const waiting = await transactions.find(tx, 'id = ANY ($2::uuid[])', [refunds.filter((one) => one.waits).map((one) => one.id)]);
    const customerIds = [payment.customerId];
    const books = await loadBooks(this.replicas, tx, {
      customerIds,
      intentIds: [...new Set([...[...paid, ...spent].map((part) => part.intentId), ...waiting.flatMap((one) => one.intentId ?? [])])],
      crediting: customerIds,
      transactions: [payment, ...waiting],
      lots: brought,
    });
    const keptMinor = standing.reduce((sum, part) => (paid.includes(part) ? sum : sum + part.amountMinor), 0n);
    const back = returnPayment(books, payment, { paid, spent, keptMinor }, read(payment.currencyCode));
    const stopped: PaymentTransaction[] = [];
    for (const { intentId: id } of paid) {
      const its = refunds.filter((one) => one.invoiceIntentId === id);
      const standingMinor = its.reduce((sum, one) => sum + one.amountMinor, 0n);
      stopped.push(...stopRefunds(books, books.intent(id), standingMinor, waiting.filter((t) => its.some((one) => one.id === t.id)))); // prettier-ignore
    }
    await saveBooks(tx, books);
    await cancelTransfers(tx, stopped);
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

interface StandingRefund {
  readonly id: string;
  readonly invoiceIntentId: string;
  readonly amountMinor: bigint;
  /** Its transfer is in no file yet. */
  readonly waits: boolean;
}

/** Refunds of these intents' invoices that have gone out or are about to. Exports lock the customer, too: what waits here still waits at the commit. */
function refundsOf(tx: TenantTx, intentIds: readonly string[]): Promise<StandingRefund[]> {
  return tx.query<StandingRefund>(
    `SELECT t.id, i.id AS "invoiceIntentId", t.amount_minor AS "amountMinor", coalesce(t.status = 'pending' AND o.status = 'waiting', false) AS waits
     FROM payment_intent i JOIN payment_intent d ON d.tenant_id = $1 AND d.referenced_invoice_id = i.invoice_id AND d.customer_id = i.customer_id
     JOIN payment_transaction t ON t.tenant_id = $1 AND t.intent_id = d.id AND t.type = 'refund' AND t.status IN ('pending', 'succeeded')
     LEFT JOIN sepa_order o ON o.tenant_id = $1 AND o.id = t.id
     WHERE i.tenant_id = $1 AND i.id = ANY ($2::uuid[]) ORDER BY t.id`,
    [tx.tenantId, intentIds],
  );
}

async function cancelTransfers(tx: TenantTx, stopped: readonly PaymentTransaction[]): Promise<void> {
  if (stopped.length === 0) return;
  const orders = await sepaOrders.find(tx, `id = ANY ($2::uuid[]) AND status = 'waiting'`, [stopped.map(({ id }) => id)]);
  for (const order of orders) Object.assign(order, { status: 'cancelled', statusReason: 'payment_returned' });
  await sepaOrders.save(tx, orders);
}
