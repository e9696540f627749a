import { DomainError, invalidTransition, invariant, newUuid } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import { intents } from '../../customer-books/intent.row.js';
import { transactions } from '../../customer-books/transaction.row.js';
import { lineSettlesGateway, lineUnsettlesGateway } from '../../domain/bank/bank-postings.js';
import { type BankAssignment, type BankTransaction, restate } from '../../domain/bank/bank-transaction.js';
import type { PaymentTransaction } from '../../domain/customer-books/transaction.js';
import { bookAll } from '../../ledger/index.js';
import { saveLines } from '../lines/save-lines.js';

/**
 * True for a payment that somebody recorded: a line that is assigned to it confirms it and has booked nothing of its
 * own.
 */
export const wasRecorded = (payment: PaymentTransaction): boolean => payment.operationId !== null;

/**
 * The line is the money of payments that were recorded before: it is linked to them, and leaves suspense for the
 * account on which they were booked. Line and customers are locked by the caller.
 * @throws DomainError `no_suggestion` when one of them has gone back or was confirmed by another line meanwhile
 */
export async function confirmRecorded(
  tx: TenantTx,
  line: BankTransaction,
  transactionIds: readonly string[],
): Promise<void> {
  const payments = await transactions.where(
    tx,
    `id = ANY ($2::uuid[]) AND (status = 'succeeded' OR (type = 'refund' AND status = 'failed')) AND bank_transaction_id IS NULL AND operation_id IS NOT NULL
      ORDER BY id`,
    [transactionIds],
  );
  const sign = line.amountMinor > 0n ? 1n : -1n;
  const sum = payments.reduce((total, { amountMinor }) => total + sign * amountMinor, 0n);
  if (payments.length < transactionIds.length || sum !== line.unassignedMinor)
    throw new DomainError('no_suggestion', {
      detail: 'The recorded payment has gone back, or another transaction has confirmed it.',
    });
  const documents = await intents.findByIds(
    tx,
    payments.flatMap(({ intentId }) => intentId ?? []),
  );
  const fresh = payments.map((payment): BankAssignment => {
    const document = documents.find(({ id }) => id === payment.intentId);
    invariant(document, 'a recorded payment is for an invoice or a top-up');
    return {
      id: newUuid(),
      bankTransactionId: line.id,
      invoiceId: document.invoiceId,
      customerId: payment.customerId,
      transactionId: payment.id,
      amountMinor: sign * payment.amountMinor,
      revokedAt: null,
      createdAt: tx.now,
    };
  });
  await bookAll(
    tx,
    tx.tenantId,
    tx.now,
    fresh.map((assignment, at) => lineSettlesGateway(postingOf(assignment, payments[at]!))),
  );
  await link(tx, transactionIds, line.id);
  line.unassignedMinor = 0n;
  line.suggestions = [];
  restate(line);
  await saveLines(tx, [line], fresh);
}

/** No line has confirmed it, and it has not gone back; its customer is locked. */
export const isUnconfirmed = async (tx: TenantTx, transactionId: string): Promise<boolean> =>
  (await transactions.where(tx, `id = $2 AND status = 'succeeded' AND bank_transaction_id IS NULL`, [transactionId]))
    .length > 0;

/**
 * The line was not that payment's money: the payment stays as it was recorded.
 * @throws DomainError `invalid_status_transition`
 */
export async function unconfirm(tx: TenantTx, assignment: BankAssignment, payment: PaymentTransaction): Promise<void> {
  if (payment.status !== 'succeeded') throw invalidTransition('transaction', payment.status, 'unassign');
  await bookAll(tx, tx.tenantId, tx.now, [lineUnsettlesGateway(postingOf(assignment, payment))]);
  await link(tx, [payment.id], null);
}

const postingOf = ({ id, amountMinor }: BankAssignment, { currencyCode, gatewayName }: PaymentTransaction) => ({
  id,
  key: id,
  amountMinor,
  currencyCode,
  gatewayName,
});

const link = (tx: TenantTx, ids: readonly string[], lineId: string | null) =>
  tx.query('UPDATE payment_transaction SET bank_transaction_id = $3 WHERE tenant_id = $1 AND id = ANY ($2::uuid[])', [
    tx.tenantId,
    ids,
    lineId,
  ]);
