import { DomainError, unknownReference } from '@kontor/kernel';
import { Database, Replicas, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { loadBooks } from '../db/load-books.js';
import { lockCustomers } from '../db/lock-customers.js';
import { saveBooks } from '../db/save-books.js';
import { intents } from '../db/tables.js';
import { assignParts, spread } from '../domain/bank/assign.js';
import { type BankAssignment, type BankTransaction, isAssignable, type Suggestion } from '../domain/bank/bank-transaction.js';
import { bankTransactions } from './bank-tables.js';
import { BookReturns } from './book-returns.js';
import { confirmRecorded } from './confirm-recorded.js';
import { paymentsOn } from './find-returned.js';
import { takeLines } from './ignore-lines.js';
import { readLines } from './read-lines.js';
import type { BankTransactionView } from './represent-bank.js';
import { saveLines } from './save-lines.js';

/** A person says yes to what the matching suggested: for each line its best suggestion, all lines or none. */
@Injectable()
export class AcceptSuggestions {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
    private readonly bookReturns: BookReturns,
  ) {}

  /** @throws DomainError `unknown_reference`, `transaction_not_assignable`, `no_suggestion`, `ambiguous_suggestion`, `invoice_not_payable` */
  execute(tenantId: string, ids: readonly string[]): Promise<{ data: BankTransactionView[] }> {
    return this.database.tenant(tenantId, async (tx) => {
      const seen = await bankTransactions.find(tx, 'id = ANY ($2::uuid[]) ORDER BY id', [ids]);
      if (seen.length < ids.length) throw unknownReference('transactionIds', 'bank transaction');
      const chosen = new Map(seen.map((line) => [line.id, choose(line)]));
      const invoiceIds = [...new Set([...chosen.values()].flat().map((one) => one.invoiceId))];
      const found = await intents.find(tx, 'invoice_id = ANY ($2::uuid[])', [invoiceIds]);
      await lockCustomers(tx, found.map((intent) => intent.customerId)); // prettier-ignore
      const lines = await takeLines(tx, ids);
      if (lines.some((line) => seen.find((one) => one.id === line.id)?.version !== line.version))
        throw new DomainError('transaction_not_assignable', { detail: 'A transaction has changed meanwhile.' });
      const confirming = lines.filter((line) => (chosen.get(line.id) ?? []).some((one) => one.confirmsTransactionId));
      const toInvoices = new Map([...chosen].map(([id, suggestions]) => [id, suggestions.map((one) => one.invoiceId)]));
      await this.assign(tx, lines.filter((line) => !line.isReturn && !confirming.includes(line)), toInvoices, found.map((intent) => intent.id)); // prettier-ignore
      for (const line of confirming) await confirmRecorded(tx, line, chosen.get(line.id)!.flatMap((one) => one.confirmsTransactionId ?? [])); // prettier-ignore
      for (const line of lines.filter((one) => one.isReturn)) await this.giveBack(tx, line, toInvoices.get(line.id) ?? []);
      return { data: await readLines(tx, ids) };
    });
  }

  private async assign(
    tx: TenantTx,
    lines: readonly BankTransaction[],
    chosen: ReadonlyMap<string, readonly string[]>,
    intentIds: readonly string[],
  ) {
    if (lines.length === 0) return;
    const customers = await tx.query<{ id: string }>('SELECT DISTINCT customer_id AS id FROM payment_intent WHERE tenant_id = $1 AND id = ANY ($2::uuid[])', [tx.tenantId, intentIds]); // prettier-ignore
    const books = await loadBooks(this.replicas, tx, { customerIds: customers.map(({ id }) => id), intentIds });
    const byInvoice = new Map([...books.intents.values()].map((intent) => [intent.invoiceId, intent]));
    const fresh: BankAssignment[] = [];
    for (const line of lines) {
      const targets = (chosen.get(line.id) ?? []).flatMap((id) => byInvoice.get(id) ?? []);
      fresh.push(...assignParts(books, line, spread(line, targets)));
      if (line.unassignedMinor !== 0n) line.status = 'STATUS_OUTSTANDING_AMOUNT';
    }
    if (books.operations.length > 0) await saveBooks(tx, books);
    await saveLines(tx, lines, fresh);
  }

  /** A return: the payment on that invoice whose amount is nearest below the line's goes back. */
  private async giveBack(tx: TenantTx, line: BankTransaction, invoiceIds: readonly string[]): Promise<void> {
    const payments = await paymentsOn(tx, 'invoice_id = ANY ($2::uuid[])', invoiceIds);
    const [best] = payments
      .filter((payment) => payment.leftMinor <= -line.amountMinor)
      .sort((a, b) => (a.leftMinor > b.leftMinor ? -1 : 1));
    if (!best || !(await this.bookReturns.giveBack(tx, line, [best])))
      throw new DomainError('invoice_not_payable', { detail: 'The invoice has no payment by bank that this line could take back.' });
  }
}

/** The best suggestion; those that only together make the amount are one. */
function choose(line: BankTransaction): Suggestion[] {
  if (!isAssignable(line)) throw new DomainError('transaction_not_assignable', { detail: `The transaction's status is ${line.status}.` });
  const [best, ...others] = line.suggestions;
  if (!best) throw new DomainError('no_suggestion', { detail: `Nothing was suggested for the transaction ${line.id}.` });
  const equal = others.filter((other) => other.score === best.score);
  if (equal.length === 0) return [best];
  if ([best, ...equal].every((one) => one.reason.includes('together exactly this amount'))) return [best, ...equal];
  throw new DomainError('ambiguous_suggestion', {
    detail: `Several invoices are equally likely for the transaction ${line.id}: assign one.`,
  });
}
