import { invalidTransition, notFound } from '@kontor/kernel';
import { Database, scheduleDue, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { CustomerBooks } from '../customer-books/customer-books.js';
import { lockPayment } from '../customer-books/lock-payment.js';
import { allocations } from '../customer-books/allocation.row.js';
import { lots } from '../customer-books/lot.row.js';
import { transactions } from '../customer-books/transaction.row.js';
import { methods } from '../payment-methods/payment-method.row.js';
import { type PaymentReturn, returnPayment } from '../domain/returns/return-payment.js';
import type { PaymentTransaction } from '../domain/customer-books/transaction.js';
import { MATCH_BANK, OPEN_LINES } from '../due-kinds.js';
import { StopRefunds, stopRefundsOf } from '../refunds/stop-refunds.js';
import { representTransaction } from '../transactions/represent-transaction.js';
import type { TransactionView } from '../transactions/transaction.schema.js';
import { ReturnPayout } from './return-payout.js';
import { documentsOfCancelled, findSpent, givenIn, loadGiven } from './load-given.js';

/**
 * A payment went back to the payer (returned debit, chargeback): its invoices are open again. Or what was paid out came back: its
 * documents owe it again.
 */
@Injectable()
export class ReturnTransaction {
  constructor(
    private readonly database: Database,
    private readonly customerBooks: CustomerBooks,
    private readonly payouts: ReturnPayout,
    private readonly stopRefunds: StopRefunds,
  ) {}

  /**
   * `read` turns the request into minor units once the currency is known.
   * @throws DomainError `not_found`, `invalid_status_transition`.
   */
  execute(tenantId: string, id: string, read: (currencyCode: string) => PaymentReturn): Promise<TransactionView> {
    return this.database.tenant(tenantId, async (tx) => {
      const seen = await transactions.get(tx, id);
      const back =
        seen?.type === 'refund'
          ? await this.payouts.report(tx, seen, read(seen.currencyCode))
          : await this.executeIn(tx, id, read);
      // A statement may show it already, and so may what was paid once more: those lines have waited for a person.
      await scheduleDue(tx, { kind: MATCH_BANK, ref: OPEN_LINES, dueAt: tx.now });
      return back;
    });
  }

  /** {@link execute} in the transaction of its cause. `intentId`: only what this one of its intents got goes back. */
  async executeIn(
    tx: TenantTx,
    id: string,
    read: (currencyCode: string) => PaymentReturn,
    intentId: string | null = null,
  ): Promise<TransactionView> {
    const seen = await transactions.get(tx, id);
    if (!seen) throw notFound('The transaction');
    const customerIds = await lockPayment(tx, id);
    const rows = await transactions.where(tx, 'id = $2', [id]);
    const payment = rows[0] ?? seen;
    const standing = await standingParts(tx, id);
    const paid = standing.filter((part) => intentId === null || part.intentId === intentId);
    if (paid.length === 0 && intentId !== null) throw invalidTransition('transaction (payment)', 'returned', 'return');
    const paidIntents = paid.map((part) => part.intentId);
    const documents = await documentsOfCancelled(tx, paidIntents);
    const sources = [...paidIntents, ...documents.map((document) => document.id)];
    const brought = (await lots.where(tx, 'source_transaction_id = $2', [id])).filter(({ sourceIntentId }) =>
      sources.includes(sourceIntentId ?? ''),
    );
    const spent = await findSpent(tx, brought);
    const opened = [...paid, ...spent].map((part) => part.intentId);
    const given = await loadGiven(tx, opened, { customerIds, withdrawn: brought });
    // Its credit may have paid invoices, too, which are open again: nor does money of those go out that nobody has paid.
    const reopened = [...new Set([...opened, ...given.reopenedIds])];
    const promised = await this.stopRefunds.ofReopened(tx, reopened, customerIds);
    const books = await this.customerBooks.load(tx, {
      customerIds,
      intentIds: [
        ...new Set([...opened, ...documents.map((document) => document.id), ...given.intentIds, ...promised.intentIds]),
      ],
      crediting: customerIds,
      transactions: [payment, ...promised.waiting],
      lots: [...brought, ...given.lots],
    });
    const keptMinor = standing.reduce((sum, part) => (paid.includes(part) ? sum : sum + part.amountMinor), 0n);
    const stopped: PaymentTransaction[] = [];
    const stop = (invoiceIntentId: string): void => {
      stopped.push(...stopRefundsOf(books, invoiceIntentId, promised, 'payment_returned'));
    };
    const back = returnPayment(
      books,
      payment,
      { paid, spent, given: givenIn(books, given), keptMinor, stopRefunds: () => reopened.forEach(stop) },
      read(payment.currencyCode),
    );
    await this.customerBooks.save(tx, books);
    await this.stopRefunds.cancelTransfers(tx, stopped);
    const [method] = back.paymentMethodId ? await methods.where(tx, 'id = $2', [back.paymentMethodId]) : [];
    return representTransaction(
      back,
      books.allocations.filter((a) => a.transactionId === back.id),
      method ?? null,
    );
  }
}

interface Part {
  readonly intentId: string;
  readonly amountMinor: bigint;
}

/** What the payment's intents got and have not returned, in the order in which they got it. */
async function standingParts(tx: TenantTx, paymentId: string): Promise<Part[]> {
  const parts = await allocations.where(tx, `transaction_id = $2 AND kind = 'payment' ORDER BY id`, [paymentId]);
  if (parts.length < 2) return parts;
  const gone = await tx.query<{ intentId: string }>(
    `SELECT intent_id AS "intentId" FROM payment_allocation
      WHERE tenant_id = $1 AND kind = 'return' AND transaction_id = ANY (ARRAY(
       SELECT r.id FROM payment_transaction r WHERE r.tenant_id = $1 AND r.returned_transaction_id = $2))`,
    [tx.tenantId, paymentId],
  );
  return parts.filter((part) => !gone.some((back) => back.intentId === part.intentId));
}
