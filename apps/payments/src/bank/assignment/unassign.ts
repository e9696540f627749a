import { DomainError, invariant, notFound } from '@kontor/kernel';
import { Database, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { lockPayment } from '../../customer-books/lock-payment.js';
import { intents } from '../../customer-books/intent.row.js';
import { transactions } from '../../customer-books/transaction.row.js';
import { type BankAssignment, restate } from '../../domain/bank/bank-transaction.js';
import type { PaymentTransaction } from '../../domain/customer-books/transaction.js';
import { ReturnTransaction } from '../../returns/return-transaction.js';
import { bankAssignments } from '../lines/bank-assignment.row.js';
import { bankTransactions } from '../lines/bank-transaction.row.js';
import { unconfirm, wasRecorded } from '../matching/confirm-recorded.js';
import { MatchLines } from '../matching/match-lines.js';
import { RevertPayout } from './revert-payout.js';
import { saveLines } from '../lines/save-lines.js';

/**
 * Revokes an assignment: the invoice is open again, credit that it had brought goes, and the money waits in suspense.
 * Where the line had only confirmed a recorded payment, that payment stays and the two are no longer linked.
 */
@Injectable()
export class Unassign {
  constructor(
    private readonly database: Database,
    private readonly returns: ReturnTransaction,
    private readonly payouts: RevertPayout,
    private readonly matching: MatchLines,
  ) {}

  /**
   * @throws DomainError `not_found`, `return_transaction`, `invalid_status_transition` (the payment has gone back
   * meanwhile)
   */
  execute(tenantId: string, id: string, assignmentId: string): Promise<void> {
    return this.database.tenant(tenantId, (tx) => this.revert(tx, id, assignmentId));
  }

  private async revert(tx: TenantTx, id: string, assignmentId: string): Promise<void> {
    const [seen] = await bankAssignments.where(tx, 'id = $2 AND bank_transaction_id = $3 AND revoked_at IS NULL', [
      assignmentId,
      id,
    ]);
    if (!seen || seen.invoiceId === null) throw notFound('The assignment');
    await lockPayment(tx, seen.transactionId);
    const line = await bankTransactions.get(tx, id, { lock: 'update' });
    const active = await bankAssignments.where(tx, 'bank_transaction_id = $2 AND revoked_at IS NULL ORDER BY id', [id]);
    const assignment = active.find((assignment) => assignment.id === assignmentId);
    if (!line || !assignment) throw notFound('The assignment');
    if (line.isReturn)
      throw new DomainError('return_transaction', {
        detail: 'A return cannot be unassigned: record a payment instead.',
      });
    const payment = await paymentOf(tx, assignment);
    if (wasRecorded(payment)) await unconfirm(tx, assignment, payment);
    else await this.undo(tx, assignment);
    assignment.revokedAt = tx.now;
    line.unassignedMinor += assignment.amountMinor;
    line.byHand = true;
    restate(line);
    await saveLines(tx, [line], [], active);
    if (line.unassignedMinor === line.amountMinor) await this.matching.match(tx, [line]);
  }

  /** Only what this invoice got: other invoices of the same payment keep theirs. */
  private async undo(
    tx: TenantTx,
    { transactionId, invoiceId, amountMinor, bankTransactionId }: BankAssignment,
  ): Promise<void> {
    const [intent] = await intents.where(tx, 'invoice_id = $2', [invoiceId]);
    invariant(intent, 'money was assigned to something that is collected for');
    const why = { reason: 'The assignment was taken back.', feeMinor: 0n, bankTransactionId };
    if (amountMinor > 0n) await this.returns.executeIn(tx, transactionId, () => why, intent.id);
    else await this.payouts.execute(tx, transactionId, intent.id);
  }
}

/**
 * What a line says of the orders of a file is no assignment that somebody made.
 * @throws DomainError `transaction_not_assignable`
 */
async function paymentOf(
  tx: TenantTx,
  { transactionId, bankTransactionId }: BankAssignment,
): Promise<PaymentTransaction> {
  const [payment] = await transactions.where(tx, 'id = $2 AND bank_transaction_id = $3', [
    transactionId,
    bankTransactionId,
  ]);
  if (payment) return payment;
  throw new DomainError('transaction_not_assignable', {
    detail: 'The line settled an order of a SEPA file, which cannot be unassigned.',
  });
}
