import type { InvoiceReference } from '@kontor/contracts';
import { DomainError, notFound } from '@kontor/kernel';
import { Database, type TenantTx } from '@kontor/persistence';
import { featureNotEnabled } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { CustomerBooks } from '../../customer-books/customer-books.js';
import { lockCustomers } from '../../customer-books/lock-customers.js';
import { intents } from '../../customer-books/intent.row.js';
import { assignAllToWallet, assignParts, spread } from '../../domain/bank/assignment/assign.js';
import { type BankTransaction, isAssignable } from '../../domain/bank/bank-transaction.js';
import type { Intent } from '../../domain/customer-books/intent.js';
import { bankAssignments } from '../lines/bank-assignment.row.js';
import { bankTransactions } from '../lines/bank-transaction.row.js';
import { BookReturnedPayouts } from '../matching/book-returned-payouts.js';
import { rematchOpenLines, rematchReturns } from '../matching/rematch-open-lines.js';
import { InvoicesWithoutIntent, KnownInvoices } from './known-invoices.js';
import { type Assignment, capsIn, type Disposition } from './read-assignment.js';
import { saveLines } from '../lines/save-lines.js';

/** The answer; amounts are integer minor units of `currencyCode`. */
export interface AssignmentResult {
  readonly transactionId: string;
  readonly status: string;
  readonly disposition: Disposition;
  readonly unassignedAmount: number;
  readonly disposedAmount: number | null;
  readonly currencyCode: string;
  readonly payoutId: string | null;
  /** What can be done with the money, where no invoice had a use for it. */
  readonly hint?: string;
}

type Others = ReadonlyMap<string, InvoiceReference>;

/**
 * Gives a statement line's money to invoices, and its remainder to the customer's credit where that is asked for: all
 * of it or nothing.
 */
@Injectable()
export class AssignInvoices {
  constructor(
    private readonly database: Database,
    private readonly customerBooks: CustomerBooks,
    private readonly invoices: KnownInvoices,
    private readonly returnedPayouts: BookReturnedPayouts,
  ) {}

  /**
   * `read` checks the body, after the line was found.
   * @throws DomainError `not_found`, `validation_failed`, `assignment_amounts_with_wallet_disposition`,
   * `payout_not_available`, `unknown_reference`,
   * `return_transaction`, `non_positive_transaction`, `multiple_customers`, `no_single_payment_intent`,
   * `transaction_not_assignable`,
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
    const seen = await bankTransactions.get(tx, id);
    if (!seen) throw notFound('The bank transaction');
    const request = read();
    const toWallet = request.disposition !== 'open';
    if (request.caps !== null && toWallet)
      throw new DomainError('assignment_amounts_with_wallet_disposition', {
        detail: 'assignmentAmounts work with the disposition "open" only.',
      });
    if (request.disposition === 'credit_wallet_and_payout')
      throw new DomainError('payout_not_available', {
        detail: 'Payouts are not available: use "credit_wallet" and pay out from there.',
      });
    const caps = capsIn(seen.currencyCode, request.caps);
    const named = await this.find(tx, request.invoiceIds, others);
    await lockCustomers(
      tx,
      named.flatMap(({ intent }) => intent?.customerId ?? []),
    );
    const line = await bankTransactions.get(tx, id, { lock: 'update' });
    if (!line) throw notFound('The bank transaction');
    const isReturnedPayout = line.isReturn && line.amountMinor > 0n && !toWallet && caps.size === 0;
    if (!isReturnedPayout) refuseLine(line, toWallet);
    if (toWallet) refuseForWallet(named);
    if (!isAssignable(line))
      throw new DomainError('transaction_not_assignable', {
        detail: `Nothing can be assigned: the transaction's status is ${line.status}.`,
      });
    if (named.some(({ intent }) => intent === undefined))
      throw new DomainError('invoice_not_payable', {
        detail: 'Money can be assigned only to invoices that are unpaid or paid.',
      });
    if (isReturnedPayout) return this.bringBack(tx, line, request);
    return this.book(
      tx,
      line,
      request,
      caps,
      named.map(({ intent }) => intent!),
    );
  }

  /** The invoices in the order of the request, with what is to be collected for them. */
  private async find(tx: TenantTx, invoiceIds: readonly string[], others: Others): Promise<Named[]> {
    const found = await intents.where(tx, 'invoice_id = ANY ($2::uuid[])', [invoiceIds]);
    const byInvoice = new Map(found.map((intent) => [intent.invoiceId, intent]));
    const missing = invoiceIds.filter((id) => !byInvoice.has(id) && !others.has(id));
    if (missing.length > 0) throw new InvoicesWithoutIntent(missing);
    return invoiceIds.map((id) => {
      const intent = byInvoice.get(id);
      return { intent, customerId: intent?.customerId ?? others.get(id)?.customerId ?? '' };
    });
  }

  /** A transfer to the customer came back: what was paid out for the document is owed again. */
  private async bringBack(tx: TenantTx, line: BankTransaction, request: Assignment): Promise<AssignmentResult> {
    await this.returnedPayouts.assign(tx, line, request.invoiceIds);
    await rematchOpenLines(tx);
    return {
      transactionId: line.id,
      status: 'STATUS_BOOKED',
      disposition: request.disposition,
      unassignedAmount: 0,
      disposedAmount: null,
      currencyCode: line.currencyCode,
      payoutId: null,
    };
  }

  private async book(
    tx: TenantTx,
    line: BankTransaction,
    request: Assignment,
    caps: ReadonlyMap<string, bigint>,
    seen: readonly Intent[],
  ) {
    const customerIds = [...new Set(seen.map((intent) => intent.customerId))];
    const toWallet = request.disposition !== 'open';
    const books = await this.customerBooks.load(tx, {
      customerIds,
      intentIds: seen.map((intent) => intent.id),
      fromBank: true,
      ...(toWallet && { crediting: customerIds }),
    });
    const targets = seen.map((intent) => books.intent(intent.id));
    if (toWallet && !books.rulesOf(customerIds[0]!).walletEnabled) throw featureNotEnabled('WalletTopUp');
    const isIdle =
      !toWallet && targets.every(({ openMinor }) => (line.amountMinor > 0n ? openMinor <= 0n : openMinor >= 0n));
    const done = toWallet
      ? assignAllToWallet(books, line, targets)
      : { assignments: assignParts(books, line, spread(line, targets, caps)), disposedMinor: null };
    if (line.unassignedMinor !== 0n) line.status = 'STATUS_OUTSTANDING_AMOUNT';
    if (books.operations.length > 0) await this.customerBooks.save(tx, books);
    const kept = await bankAssignments.where(tx, 'bank_transaction_id = $2 AND revoked_at IS NULL ORDER BY id', [
      line.id,
    ]);
    await saveLines(tx, [line], done.assignments, kept);
    if (done.assignments.length > 0) await rematchReturns(tx);
    return {
      transactionId: line.id,
      status: line.status,
      disposition: request.disposition,
      unassignedAmount: Number(line.unassignedMinor),
      disposedAmount: done.disposedMinor === null ? null : Number(done.disposedMinor),
      currencyCode: line.currencyCode,
      payoutId: null,
      ...(isIdle && { hint: hintFor(line) }),
    };
  }
}

const NOTHING_OPEN = 'Nothing was assigned: all of these invoices are paid already.';

/** What is to be done with money for which the invoices have no use. */
const hintFor = ({ amountMinor }: BankTransaction): string =>
  amountMinor > 0n
    ? `${NOTHING_OPEN} Assign the money to unpaid invoices, make it the customer's credit by the disposition "credit_wallet", or ` +
      'send it back and ignore the transaction.'
    : `${NOTHING_OPEN} Assign the transaction to documents that owe the customer, or ignore it.`;

interface Named {
  /** Undefined for a draft, and a document over zero. */
  readonly intent: Intent | undefined;
  readonly customerId: string;
}

function refuseLine(line: BankTransaction, toWallet: boolean): void {
  if (line.isReturn)
    throw new DomainError('return_transaction', {
      detail:
        'A returned debit is not assigned to invoices, and a returned transfer only as a whole, to what was paid out by it.',
    });
  if (toWallet && line.amountMinor <= 0n)
    throw new DomainError('non_positive_transaction', { detail: 'Only money that came in can become credit.' });
}

function refuseForWallet(named: readonly Named[]): void {
  if (new Set(named.map(({ customerId }) => customerId)).size > 1)
    throw new DomainError('multiple_customers', {
      detail: 'The invoices belong to several customers: credit has one owner.',
    });
  const last = named.at(-1);
  if (!last?.intent || last.intent.status === 'cancelled')
    throw new DomainError('no_single_payment_intent', {
      detail: 'Nothing is collected for the last invoice, so it cannot be overpaid.',
    });
}
