import { newUuid } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import { lockCustomers } from '../../customer-books/lock-customers.js';
import { type BankAssignment, type BankTransaction, restate } from '../../domain/bank/bank-transaction.js';
import { bankTransactions } from '../lines/bank-transaction.row.js';
import { saveLines } from '../lines/save-lines.js';

/** Money of a document or a top-up that the line shows; signed as the line is. */
export interface Moved {
  readonly transactionId: string;
  readonly intentId: string | null;
  readonly customerId: string;
  readonly amountMinor: bigint;
}

/** Customers first, then the line, as everywhere; undefined when somebody was faster. */
export async function lockLine(
  tx: TenantTx,
  seen: BankTransaction,
  customerIds: readonly string[],
): Promise<BankTransaction | undefined> {
  await lockCustomers(tx, customerIds);
  const line = await bankTransactions.get(tx, seen.id, { lock: 'update' });
  return line && line.version === seen.version && line.unassignedMinor === line.amountMinor ? line : undefined;
}

/** All of the line's money is accounted for. */
export async function finishLine(tx: TenantTx, line: BankTransaction, moved: readonly Moved[]): Promise<void> {
  line.unassignedMinor = 0n;
  line.suggestions = [];
  restate(line);
  const rows = await tx.query<{ id: string; invoiceId: string | null }>(
    'SELECT id, invoice_id AS "invoiceId" FROM payment_intent WHERE tenant_id = $1 AND id = ANY ($2::uuid[])',
    [tx.tenantId, moved.flatMap((movement) => movement.intentId ?? [])],
  );
  const invoices = new Map(rows.map((row) => [row.id, row.invoiceId]));
  const fresh = moved.map(({ intentId, ...movement }): BankAssignment => ({
    ...movement,
    id: newUuid(),
    bankTransactionId: line.id,
    invoiceId: invoices.get(intentId ?? '') ?? null,
    revokedAt: null,
    createdAt: tx.now,
  }));
  await saveLines(tx, [line], fresh);
}
