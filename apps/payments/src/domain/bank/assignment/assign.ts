import { DomainError, invariant, storableText } from '@kontor/kernel';
import type { Books } from '../../customer-books/books.js';
import { applyCredit } from '../../wallet/apply-credit.js';
import { moveToWallet } from '../../wallet/credit.js';
import { type Intent, overpaidMinor, takesMoney } from '../../customer-books/intent.js';
import { originOf, receivedFor } from '../../collections/receive-payment.js';
import { moneyReturned, paymentReceived } from '../../ledger/postings.js';
import type { PaymentTransaction } from '../../customer-books/transaction.js';
import { type BankAssignment, type BankTransaction, goesTheWayOf, restate } from '../bank-transaction.js';

const MAX_DESCRIPTION = 1000;

/** What is to become of one invoice by an assignment. `amountMinor` has the sign of the line. */
export interface Part {
  readonly intent: Intent;
  readonly amountMinor: bigint;
}

/**
 * How a line's remainder is spread over invoices, in their order: each gets at most what it has open, and no more than
 * its cap. Money out goes to documents that owe the customer, and pays back what was paid too much on an invoice.
 * @throws DomainError `invoice_not_payable` for a document that was cancelled or closed and is not open again, one of the
 * other direction, or one of another currency
 */
export function spread(
  line: BankTransaction,
  intents: readonly Intent[],
  caps: ReadonlyMap<string, bigint> = new Map(),
): Part[] {
  for (const intent of intents) refuseUnpayable(line, intent);
  const parts: Part[] = [];
  let left = abs(line.unassignedMinor);
  for (const intent of intents) {
    const open = line.amountMinor > 0n ? intent.openMinor : -intent.openMinor;
    const cap = caps.get(intent.invoiceId ?? '') ?? left;
    const size = min(left, min(cap, open > 0n ? open : 0n));
    if (size <= 0n) continue;
    parts.push({ intent, amountMinor: line.amountMinor > 0n ? size : -size });
    left -= size;
  }
  return parts;
}

const abs = (value: bigint): bigint => (value < 0n ? -value : value);
const min = (a: bigint, b: bigint): bigint => (a < b ? a : b);

function refuseUnpayable(line: BankTransaction, intent: Intent): void {
  const refuse = (detail: string): never => {
    throw new DomainError('invoice_not_payable', { detail });
  };
  const isOwedBack = line.amountMinor < 0n && overpaidMinor(intent) > 0n;
  if (!takesMoney(intent) && !isOwedBack) refuse(`${intent.documentNumber} is cancelled or closed.`);
  if (intent.currencyCode !== line.currencyCode)
    refuse(`${intent.documentNumber} is in ${intent.currencyCode}, the money in ${line.currencyCode}.`);
  if (!goesTheWayOf(line, intent))
    refuse(`${intent.documentNumber} accepts only money that ${intent.amountMinor > 0n ? 'came in' : 'went out'}.`);
}

/**
 * Assigns parts of a line: what one customer's documents get is one payment, however many they are, because a payment
 * has one payer. The money leaves suspense; the line's status follows. What `overpaid` then has too much becomes
 * credit.
 */
export function assignParts(
  books: Books,
  line: BankTransaction,
  parts: readonly Part[],
  overpaid?: Intent,
): BankAssignment[] {
  const customers = new Set(parts.map(({ intent }) => intent.customerId));
  const partsOf = (customerId: string): Part[] => parts.filter(({ intent }) => intent.customerId === customerId);
  const payments = new Map([...customers].map((customerId) => [customerId, payFor(books, line, partsOf(customerId))]));
  const assignments = parts.map((part) =>
    assignPart(books, line, part, payments.get(part.intent.customerId)!, part.intent === overpaid),
  );
  if (parts.length > 0) restate(line);
  return assignments;
}

function payFor(books: Books, line: BankTransaction, parts: readonly Part[]): PaymentTransaction {
  const transaction = paymentOf(books, line, parts);
  const sizes = parts.map(({ amountMinor }) => ({ amountMinor: abs(amountMinor) }));
  const posting = { ...transaction, gatewayName: GATEWAY, parts: sizes };
  books.operations.push(
    transaction.type === 'payment' ? paymentReceived(posting) : moneyReturned({ ...posting, feeMinor: 0n }),
  );
  return transaction;
}

function assignPart(
  books: Books,
  line: BankTransaction,
  { intent, amountMinor }: Part,
  transaction: PaymentTransaction,
  creditExcess: boolean,
): BankAssignment {
  invariant(amountMinor !== 0n && abs(amountMinor) <= abs(line.unassignedMinor), 'no more is assigned than there is');
  invariant(intent.currencyCode === line.currencyCode, 'money is assigned to an invoice or a top-up of its currency');
  const excessBefore = intent.openMinor < 0n ? -intent.openMinor : 0n;
  if (amountMinor > 0n) {
    receivedFor(books, intent, transaction, amountMinor);
    if (creditExcess) creditRest(books, intent, transaction, excessBefore);
  } else {
    books.allocate(intent, 'payout', amountMinor, { transactionId: transaction.id }, transaction.paymentDate);
  }
  line.unassignedMinor -= amountMinor;
  return {
    id: books.newId(),
    bankTransactionId: line.id,
    invoiceId: intent.invoiceId,
    customerId: intent.customerId,
    transactionId: transaction.id,
    amountMinor,
    revokedAt: null,
    createdAt: books.now,
  };
}

const GATEWAY = 'bank_transfer';

function paymentOf(books: Books, line: BankTransaction, parts: readonly Part[]): PaymentTransaction {
  const amountMinor = parts.reduce((sum, part) => sum + part.amountMinor, 0n);
  const [first, second] = parts;
  invariant(first, 'a payment is for something');
  return books.add({
    id: books.newId(),
    customerId: first.intent.customerId,
    type: amountMinor > 0n ? 'payment' : 'refund',
    status: 'succeeded',
    currencyCode: line.currencyCode,
    amountMinor: abs(amountMinor),
    feeMinor: null,
    paymentMethodId: books.bankMethodOf(first.intent.customerId),
    gatewayName: GATEWAY,
    paymentDate: line.valueDate,
    reference: line.reference,
    description: line.remittanceInformation === null ? null : storableText(line.remittanceInformation, MAX_DESCRIPTION),
    operationId: null,
    collectionId: null,
    intentId: second ? null : first.intent.id,
    returnedTransactionId: null,
    bankTransactionId: line.id,
    failReason: null,
    createdAt: books.now,
  });
}

/** What this payment has too much becomes credit whatever the setting says: whoever assigned it has asked for that. */
function creditRest(books: Books, intent: Intent, transaction: PaymentTransaction, excessBefore: bigint): void {
  const amountMinor = -intent.openMinor - excessBefore;
  if (amountMinor <= 0n) return;
  moveToWallet(books, intent, 'overpayment', {
    transactionId: transaction.id,
    origin: originOf(transaction),
    amountMinor,
  });
  applyCredit(books, intent.customerId, intent.currencyCode);
}

/**
 * Assigns the whole remainder: every invoice gets what it has open, the last one all that is left, and what it then has
 * too much becomes the customer's credit. Gives the assignments and the credit in minor units.
 * @throws DomainError `invoice_not_payable`
 */
export function assignAllToWallet(
  books: Books,
  line: BankTransaction,
  intents: readonly Intent[],
): { assignments: BankAssignment[]; disposedMinor: bigint } {
  const last = intents.at(-1);
  invariant(last, 'there is an invoice to assign to');
  const before = spread(line, intents).filter((part) => part.intent !== last);
  const open = last.openMinor > 0n ? last.openMinor : 0n;
  const restMinor = before.reduce((left, part) => left - part.amountMinor, line.unassignedMinor);
  const parts = restMinor > 0n ? [...before, { intent: last, amountMinor: restMinor }] : before;
  return {
    assignments: assignParts(books, line, parts, last),
    disposedMinor: restMinor > open ? restMinor - open : 0n,
  };
}
