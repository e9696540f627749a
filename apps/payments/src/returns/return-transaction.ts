import { invalidTransition, notFound, validationFailed } from '@kontor/kernel';
import { Database, scheduleDue, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { CustomerBooks } from '../customer-books/customer-books.js';
import { lockPayment } from '../customer-books/lock-payment.js';
import { lots } from '../customer-books/lot.row.js';
import { transactions } from '../customer-books/transaction.row.js';
import { methods } from '../payment-methods/payment-method.row.js';
import { type PaymentReturn, returnPayment } from '../domain/returns/return-payment.js';
import { lastParts, type StandingPart, standingMinor } from '../domain/returns/standing-parts.js';
import type { PaymentTransaction } from '../domain/customer-books/transaction.js';
import { MATCH_BANK, OPEN_LINES } from '../due-kinds.js';
import { StopRefunds, stopRefundsOf } from '../refunds/stop-refunds.js';
import { representTransaction } from '../transactions/represent-transaction.js';
import type { TransactionView } from '../transactions/transaction.schema.js';
import { ReturnPayout } from './return-payout.js';
import { documentsOfCancelled, findSpent, givenIn, loadGiven } from './load-given.js';

type ReadReturn = (currencyCode: string, standingMinor: bigint) => PaymentReturn;

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
   * `read` turns the request into minor units once the currency, and what can still come back, are known.
   * @throws DomainError `not_found`, `invalid_status_transition`, `validation_failed`.
   */
  execute(tenantId: string, id: string, read: ReadReturn): Promise<TransactionView> {
    return this.database.tenant(tenantId, async (tx) => {
      const seen = await transactions.get(tx, id);
      const back =
        seen?.type === 'refund'
          ? await this.payouts.report(tx, seen, read(seen.currencyCode, seen.amountMinor))
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
    read: ReadReturn,
    intentId: string | null = null,
  ): Promise<TransactionView> {
    const seen = await transactions.get(tx, id);
    if (!seen) throw notFound('The transaction');
    const customerIds = await lockPayment(tx, id);
    const rows = await transactions.where(tx, 'id = $2', [id]);
    const payment = rows[0] ?? seen;
    const standing = await standingParts(tx, id);
    const report = read(payment.currencyCode, standingMinor(standing));
    const paid = partsBack(payment, standing, report, intentId);
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
    const keptMinor = standingMinor(standing) - standingMinor(paid);
    const stopped: PaymentTransaction[] = [];
    const stop = (invoiceIntentId: string): void => {
      stopped.push(...stopRefundsOf(books, invoiceIntentId, promised, 'payment_returned'));
    };
    const back = returnPayment(
      books,
      payment,
      { paid, spent, given: givenIn(books, given), keptMinor, stopRefunds: () => reopened.forEach(stop) },
      report,
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

/**
 * What of a payment goes back: what this one of its intents got, or so much as was reported, or all that stands.
 * @throws DomainError `invalid_status_transition`, `validation_failed`
 */
function partsBack(
  { status, gatewayName }: PaymentTransaction,
  standing: readonly StandingPart[],
  { amountMinor = null }: PaymentReturn,
  intentId: string | null,
): readonly StandingPart[] {
  if (intentId !== null) {
    const part = standing.find((it) => it.intentId === intentId);
    if (part?.amountMinor !== part?.paidMinor || !part)
      throw invalidTransition('transaction (payment)', 'returned', 'return');
    return [part];
  }
  const leftMinor = standingMinor(standing);
  if (amountMinor === null || amountMinor === leftMinor || status !== 'succeeded') return standing;
  if (gatewayName === 'sepa_debit')
    throw validationFailed('amount', 'A direct debit goes back as a whole.', 'amount_not_whole');
  if (amountMinor > leftMinor)
    throw validationFailed('amount', 'amount must not exceed what stands of the payment.', 'amount_too_large');
  return lastParts(standing, amountMinor);
}

/** What the payment's intents got and have not returned, in the order in which they got it. */
async function standingParts(tx: TenantTx, paymentId: string): Promise<StandingPart[]> {
  const parts = await tx.query<StandingPart>(
    `SELECT p.intent_id AS "intentId", p.paid AS "paidMinor", (p.paid + coalesce(b.back, 0))::bigint AS "amountMinor"
     FROM (SELECT intent_id, min(id::text) AS first, sum(amount_minor)::bigint AS paid FROM payment_allocation
       WHERE tenant_id = $1 AND transaction_id = $2 AND kind = 'payment' GROUP BY intent_id) p
     LEFT JOIN (SELECT a.intent_id, sum(a.amount_minor) AS back FROM payment_allocation a
       WHERE a.tenant_id = $1 AND a.kind = 'return' AND a.transaction_id = ANY (ARRAY(
         SELECT r.id FROM payment_transaction r WHERE r.tenant_id = $1 AND r.returned_transaction_id = $2))
       GROUP BY a.intent_id) b ON b.intent_id = p.intent_id
     ORDER BY p.first`,
    [tx.tenantId, paymentId],
  );
  return parts.filter(({ amountMinor }) => amountMinor > 0n);
}
