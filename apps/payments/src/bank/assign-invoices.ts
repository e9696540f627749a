import type { InvoiceReference } from '@kontor/contracts';
import { DomainError, notFound } from '@kontor/kernel';
import { Database, Replicas, type TenantTx } from '@kontor/persistence';
import { featureNotEnabled } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { loadBooks } from '../db/load-books.js';
import { lockCustomers } from '../db/lock-customers.js';
import { saveBooks } from '../db/save-books.js';
import { intents } from '../db/tables.js';
import { assignAllToWallet, assignParts, spread } from '../domain/bank/assign.js';
import { type BankTransaction, isAssignable } from '../domain/bank/bank-transaction.js';
import type { Intent } from '../domain/intent.js';
import { bankAssignments, bankTransactions } from './bank-tables.js';
import { InvoicesWithoutIntent, KnownInvoices } from './known-invoices.js';
import { type Assignment, capsIn, type Disposition } from './read-assignment.js';
import { saveLines } from './save-lines.js';

/** The interface's answer; amounts are integer minor units of `currencyCode`. */
export interface AssignmentResult {
  readonly transactionId: string;
  readonly status: string;
  readonly disposition: Disposition;
  readonly unassignedAmount: number;
  readonly disposedAmount: number | null;
  readonly currencyCode: string;
  readonly payoutId: string | null;
}

type Others = ReadonlyMap<string, InvoiceReference>;

/** Gives a statement line's money to invoices, and its remainder to the customer's credit where that is asked for: all of it or nothing. */
@Injectable()
export class AssignInvoices {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
    private readonly invoices: KnownInvoices,
  ) {}

  /**
   * `read` checks the body, after the line was found.
   * @throws DomainError `not_found`, `validation_failed`, `assignment_amounts_with_wallet_disposition`, `payout_not_available`, `unknown_reference`,
   * `return_transaction`, `non_positive_transaction`, `multiple_customers`, `no_single_payment_intent`, `transaction_not_assignable`,
   * `invoice_not_payable`, `feature_not_enabled`
   */
  async execute(tenantId: string, id: string, read: () => Assignment): Promise<AssignmentResult> {
    try {
      return await this.database.tenant(tenantId, (tx) => this.assign(tx, id, read, new Map()));
    } catch (error) {
      if (!(error instanceof InvoicesWithoutIntent)) throw error;
      // Asked outside of any transaction; then everything is looked at again.
      const others = await this.invoices.find(tenantId, error.ids);
      return this.database.tenant(tenantId, (tx) => this.assign(tx, id, read, others));
    }
  }

  private async assign(tx: TenantTx, id: string, read: () => Assignment, others: Others): Promise<AssignmentResult> {
    const [seen] = await bankTransactions.find(tx, 'id = $2', [id]);
    if (!seen) throw notFound('The bank transaction');
    const wish = read();
    const toWallet = wish.disposition !== 'open';
    if (wish.caps !== null && toWallet)
      throw new DomainError('assignment_amounts_with_wallet_disposition', {
        detail: 'assignmentAmounts work with the disposition "open" only.',
      });
    if (wish.disposition === 'credit_wallet_and_payout')
      throw new DomainError('payout_not_available', { detail: 'Payouts are not available: use "credit_wallet" and pay out from there.' });
    const caps = capsIn(seen.currencyCode, wish.caps);
    const named = await this.find(tx, wish.invoiceIds, others);
    await lockCustomers(tx, named.flatMap(({ intent }) => intent?.customerId ?? [])); // prettier-ignore
    const [line] = await bankTransactions.find(tx, 'id = $2 FOR UPDATE', [id]);
    if (!line) throw notFound('The bank transaction');
    refuseLine(line, toWallet);
    if (toWallet) refuseForWallet(named);
    if (!isAssignable(line))
      throw new DomainError('transaction_not_assignable', {
        detail: `Nothing can be assigned: the transaction's status is ${line.status}.`,
      });
    if (named.some(({ intent }) => intent === undefined))
      throw new DomainError('invoice_not_payable', { detail: 'An invoice that is neither unpaid nor paid takes no money.' });
    return this.book(tx, line, wish, caps, named.map(({ intent }) => intent!)); // prettier-ignore
  }

  /** The invoices in the order of the request, with what is to be collected for them. */
  private async find(tx: TenantTx, invoiceIds: readonly string[], others: Others): Promise<Named[]> {
    const found = await intents.find(tx, 'invoice_id = ANY ($2::uuid[])', [invoiceIds]);
    const byInvoice = new Map(found.map((intent) => [intent.invoiceId, intent]));
    const missing = invoiceIds.filter((id) => !byInvoice.has(id) && !others.has(id));
    if (missing.length > 0) throw new InvoicesWithoutIntent(missing);
    return invoiceIds.map((id) => {
      const intent = byInvoice.get(id);
      return { intent, customerId: intent?.customerId ?? others.get(id)?.customerId ?? '' };
    });
  }

  private async book(tx: TenantTx, line: BankTransaction, wish: Assignment, caps: ReadonlyMap<string, bigint>, seen: readonly Intent[]) {
    const customerIds = [...new Set(seen.map((intent) => intent.customerId))];
    const toWallet = wish.disposition !== 'open';
    const books = await loadBooks(this.replicas, tx, {
      customerIds,
      intentIds: seen.map((intent) => intent.id),
      ...(toWallet && { crediting: customerIds }),
    });
    const targets = seen.map((intent) => books.intent(intent.id));
    if (toWallet && !books.rulesOf(customerIds[0]!).walletEnabled) throw featureNotEnabled('WalletTopUp');
    const done = toWallet
      ? assignAllToWallet(books, line, targets)
      : { assignments: assignParts(books, line, spread(line, targets, caps)), disposedMinor: null };
    if (line.unassignedMinor !== 0n) line.status = 'STATUS_OUTSTANDING_AMOUNT';
    if (books.operations.length > 0) await saveBooks(tx, books);
    const kept = await bankAssignments.find(tx, 'bank_transaction_id = $2 AND revoked_at IS NULL ORDER BY id', [line.id]);
    await saveLines(tx, [line], done.assignments, kept);
    return {
      transactionId: line.id,
      status: line.status,
      disposition: wish.disposition,
      unassignedAmount: Number(line.unassignedMinor),
      disposedAmount: done.disposedMinor === null ? null : Number(done.disposedMinor),
      currencyCode: line.currencyCode,
      payoutId: null,
    };
  }
}

interface Named {
  /** Undefined for a draft, and a document over zero. */
  readonly intent: Intent | undefined;
  readonly customerId: string;
}

function refuseLine(line: BankTransaction, toWallet: boolean): void {
  if (line.isReturn) throw new DomainError('return_transaction', { detail: 'A returned debit or transfer is not assigned to invoices.' });
  if (toWallet && line.amountMinor <= 0n)
    throw new DomainError('non_positive_transaction', { detail: 'Only money that came in can become credit.' });
}

function refuseForWallet(named: readonly Named[]): void {
  if (new Set(named.map(({ customerId }) => customerId)).size > 1)
    throw new DomainError('multiple_customers', { detail: 'The invoices belong to several customers: credit has one owner.' });
  const last = named.at(-1);
  if (!last?.intent || last.intent.status === 'cancelled')
    throw new DomainError('no_single_payment_intent', { detail: 'Nothing is collected for the last invoice, so it cannot be overpaid.' });
}
