import { DomainError, invariant, notFound } from '@kontor/kernel';
import { Database, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { lockCustomers } from '../db/lock-customers.js';
import { intents } from '../db/tables.js';
import { type BankAssignment, restate } from '../domain/bank/bank-transaction.js';
import { ReturnTransaction } from '../payments/return-transaction.js';
import { bankAssignments, bankTransactions } from './bank-tables.js';
import { MatchLines } from './match-lines.js';
import { RevertPayout } from './revert-payout.js';
import { saveLines } from './save-lines.js';

/** Takes an assignment back: the invoice is open again, credit that it had brought goes, and the money waits in suspense. */
@Injectable()
export class Unassign {
  constructor(
    private readonly database: Database,
    private readonly returns: ReturnTransaction,
    private readonly payouts: RevertPayout,
    private readonly matching: MatchLines,
  ) {}

  /** @throws DomainError `not_found`, `return_transaction`, `invalid_status_transition` (the payment has gone back meanwhile) */
  execute(tenantId: string, id: string, assignmentId: string): Promise<void> {
    return this.database.tenant(tenantId, (tx) => this.revert(tx, id, assignmentId));
  }

  private async revert(tx: TenantTx, id: string, assignmentId: string): Promise<void> {
    const [seen] = await bankAssignments.find(tx, 'id = $2 AND bank_transaction_id = $3 AND revoked_at IS NULL', [assignmentId, id]);
    if (!seen) throw notFound('The assignment');
    await lockCustomers(tx, [seen.customerId]);
    const [line] = await bankTransactions.find(tx, 'id = $2 FOR UPDATE', [id]);
    const active = await bankAssignments.find(tx, 'bank_transaction_id = $2 AND revoked_at IS NULL ORDER BY id', [id]);
    const assignment = active.find((one) => one.id === assignmentId);
    if (!line || !assignment) throw notFound('The assignment');
    if (line.isReturn)
      throw new DomainError('return_transaction', { detail: 'Money that went back stays gone: record a payment instead.' });
    await this.refuseFile(tx, assignment.transactionId, id);
    await this.giveBack(tx, assignment);
    assignment.revokedAt = tx.now;
    line.unassignedMinor += assignment.amountMinor;
    line.byHand = true;
    restate(line);
    await saveLines(tx, [line], [], active);
    if (line.unassignedMinor === line.amountMinor) await this.matching.match(tx, [line]);
  }

  /** Only what this invoice got: other invoices of the same payment keep theirs. */
  private async giveBack(tx: TenantTx, { transactionId, invoiceId, amountMinor, bankTransactionId }: BankAssignment): Promise<void> {
    const [intent] = await intents.find(tx, 'invoice_id = $2', [invoiceId]);
    invariant(intent, 'money was assigned to something that is collected for');
    const why = { reason: 'The assignment was taken back.', feeMinor: 0n, bankTransactionId };
    if (amountMinor > 0n) await this.returns.executeIn(tx, transactionId, () => why, intent.id);
    else await this.payouts.execute(tx, transactionId, intent.id);
  }

  /** What a line says of the orders of a file is no assignment that somebody made. */
  private async refuseFile(tx: TenantTx, transactionId: string, lineId: string): Promise<void> {
    const rows = await tx.query('SELECT 1 FROM payment_transaction WHERE tenant_id = $1 AND id = $2 AND bank_transaction_id = $3', [
      tx.tenantId,
      transactionId,
      lineId,
    ]);
    if (rows.length === 0)
      throw new DomainError('transaction_not_assignable', { detail: 'The line settled an order of a SEPA file; that is not taken back.' });
  }
}
