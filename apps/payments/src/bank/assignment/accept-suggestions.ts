import { DomainError, unknownReference } from '@kontor/kernel';
import { Database, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { CustomerBooks } from '../../customer-books/customer-books.js';
import { lockCustomers } from '../../customer-books/lock-customers.js';
import { intents } from '../../customer-books/intent.row.js';
import { assignParts, spread } from '../../domain/bank/assignment/assign.js';
import {
  type BankAssignment,
  type BankTransaction,
  isAssignable,
  type Suggestion,
} from '../../domain/bank/bank-transaction.js';
import { bankTransactions } from '../lines/bank-transaction.row.js';
import { BookReturnedPayouts } from '../matching/book-returned-payouts.js';
import { BookReturns } from '../matching/book-returns.js';
import { confirmRecorded } from '../matching/confirm-recorded.js';
import { paymentsOn } from '../matching/find-returned.js';
import { rematchOpenLines, rematchReturns } from '../matching/rematch-open-lines.js';
import { lockLines } from './ignore-lines.js';
import { readLines } from '../lines/read-lines.js';
import { saveLines } from '../lines/save-lines.js';
import type { BankTransactionView } from '../lines/bank-transaction.schema.js';

/** A person says yes to what the matching suggested: for each line its best suggestion, all lines or none. */
@Injectable()
export class AcceptSuggestions {
  constructor(
    private readonly database: Database,
    private readonly customerBooks: CustomerBooks,
    private readonly bookReturns: BookReturns,
    private readonly returnedPayouts: BookReturnedPayouts,
  ) {}

  /**
   * @throws DomainError `unknown_reference`, `transaction_not_assignable`, `no_suggestion`, `ambiguous_suggestion`,
   * `invoice_not_payable`
   */
  execute(tenantId: string, ids: readonly string[]): Promise<{ data: BankTransactionView[] }> {
    return this.database.tenant(tenantId, async (tx) => {
      const seen = await bankTransactions.where(tx, 'id = ANY ($2::uuid[]) ORDER BY id', [ids]);
      if (seen.length < ids.length) throw unknownReference('transactionIds', 'bank transaction');
      const chosen = new Map(seen.map((line) => [line.id, choose(line)]));
      const invoiceIds = [...new Set([...chosen.values()].flat().map((suggestion) => suggestion.invoiceId))];
      const found = await intents.where(tx, 'invoice_id = ANY ($2::uuid[])', [invoiceIds]);
      await lockCustomers(
        tx,
        found.map((intent) => intent.customerId),
      );
      const lines = await lockLines(tx, ids);
      // Matching may have looked at a line again meanwhile: what counts is whether it still says the same.
      if (lines.some((line) => saidBy(choose(line)) !== saidBy(chosen.get(line.id) ?? [])))
        throw new DomainError('transaction_not_assignable', { detail: 'A transaction has changed meanwhile.' });
      const confirming = lines.filter((line) =>
        (chosen.get(line.id) ?? []).some((suggestion) => suggestion.confirmsTransactionId),
      );
      const toInvoices = new Map(
        [...chosen].map(([id, suggestions]) => [id, suggestions.map((suggestion) => suggestion.invoiceId)]),
      );
      await this.assign(
        tx,
        lines.filter((line) => !line.isReturn && !confirming.includes(line)),
        toInvoices,
        found.map((intent) => intent.id),
      );
      for (const line of confirming)
        await confirmRecorded(
          tx,
          line,
          chosen.get(line.id)!.flatMap((suggestion) => suggestion.confirmsTransactionId ?? []),
        );
      const returns = lines.filter((line) => line.isReturn);
      for (const line of returns) await this.acceptReturn(tx, line, toInvoices.get(line.id) ?? []);
      if (returns.length < lines.length) await rematchReturns(tx);
      if (returns.length > 0) await rematchOpenLines(tx);
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
    const customers = await tx.query<{ id: string }>(
      'SELECT DISTINCT customer_id AS id FROM payment_intent WHERE tenant_id = $1 AND id = ANY ($2::uuid[])',
      [tx.tenantId, intentIds],
    );
    const books = await this.customerBooks.load(tx, {
      customerIds: customers.map(({ id }) => id),
      intentIds,
      fromBank: true,
    });
    const byInvoice = new Map([...books.intents.values()].map((intent) => [intent.invoiceId, intent]));
    const fresh: BankAssignment[] = [];
    for (const line of lines) {
      const targets = (chosen.get(line.id) ?? []).flatMap((id) => byInvoice.get(id) ?? []);
      fresh.push(...assignParts(books, line, spread(line, targets)));
      if (line.unassignedMinor !== 0n) line.status = 'STATUS_OUTSTANDING_AMOUNT';
    }
    if (books.operations.length > 0) await this.customerBooks.save(tx, books);
    await saveLines(tx, lines, fresh);
  }

  /**
   * A return: the payment on that invoice whose amount is nearest below the line's goes back, where the bank's fee is no more than
   * that; else a part of the nearest above it. Or what was paid out for that document came back.
   */
  private async acceptReturn(tx: TenantTx, line: BankTransaction, invoiceIds: readonly string[]): Promise<void> {
    if (line.amountMinor > 0n) return this.returnedPayouts.assign(tx, line, invoiceIds);
    const payments = await paymentsOn(tx, line.currencyCode, 'invoice_id = ANY ($3::uuid[])', invoiceIds);
    const wanted = -line.amountMinor;
    const ascending = payments.toSorted((a, b) => (a.leftMinor < b.leftMinor ? -1 : 1));
    const whole = ascending.findLast(({ leftMinor }) => leftMinor <= wanted && wanted <= 2n * leftMinor);
    const best = whole ?? ascending.find(({ leftMinor }) => leftMinor > wanted) ?? ascending.at(-1);
    const part = best && best.leftMinor > wanted ? wanted : null;
    if (!best || !(await this.bookReturns.returnPayments(tx, line, [best], part)))
      throw new DomainError('invoice_not_payable', {
        detail: 'The invoice has no bank payment that this line could return.',
      });
  }
}

/** The documents and payments that suggestions name. */
const saidBy = (suggestions: readonly Suggestion[]): string =>
  suggestions
    .map(({ invoiceId, confirmsTransactionId }) => `${invoiceId}/${confirmsTransactionId ?? ''}`)
    .sort()
    .join();

/** The best suggestion; those that only together make the amount are one. */
function choose(line: BankTransaction): Suggestion[] {
  if (!isAssignable(line))
    throw new DomainError('transaction_not_assignable', { detail: `The transaction's status is ${line.status}.` });
  const [best, ...others] = line.suggestions;
  if (!best)
    throw new DomainError('no_suggestion', { detail: `Nothing was suggested for the transaction ${line.id}.` });
  const equal = others.filter((other) => other.score === best.score);
  if (equal.length === 0) return [best];
  if ([best, ...equal].every((suggestion) => suggestion.reason.includes('together exactly this amount')))
    return [best, ...equal];
  throw new DomainError('ambiguous_suggestion', {
    detail: `Several invoices are equally likely for the transaction ${line.id}: assign one.`,
  });
}
