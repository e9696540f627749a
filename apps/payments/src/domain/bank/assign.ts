import { DomainError, invariant } from '@kontor/kernel';
import type { Books } from '../books.js';
import { applyCredit, moveToWallet } from '../credit.js';
import type { Intent } from '../intent.js';
import { originOf, receivedFor } from '../payments.js';
import { moneyReturned, paymentReceived } from '../postings.js';
import type { PaymentTransaction } from '../transaction.js';
import { type BankAssignment, type BankTransaction, restate } from './bank-transaction.js';

/** What is to become of one invoice by an assignment. `amountMinor` has the sign of the line. */
export interface Part {
  readonly intent: Intent;
  readonly amountMinor: bigint;
}

/**
 * How a line's remainder is spread over invoices, in their order: each gets at most what it has open, and no more than
 * its cap. Money out goes to documents that owe the customer.
 * @throws DomainError `invoice_not_payable` for a cancelled document, one of the other direction, or one of another currency
 */
export function spread(line: BankTransaction, intents: readonly Intent[], caps: ReadonlyMap<string, bigint> = new Map()): Part[] {
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
  if (intent.status === 'cancelled') refuse(`${intent.documentNumber} is cancelled.`);
  if (intent.currencyCode !== line.currencyCode) refuse(`${intent.documentNumber} is in ${intent.currencyCode}, the money in ${line.currencyCode}.`); // prettier-ignore
  if (intent.amountMinor > 0n !== line.amountMinor > 0n)
    refuse(`${intent.documentNumber} ${intent.amountMinor > 0n ? 'takes money that came in' : 'takes money that went out'}.`);
}

/** Assigns parts of a line; the money leaves suspense. The line's status follows. */
export function assignParts(books: Books, line: BankTransaction, parts: readonly Part[]): BankAssignment[] {
  return parts.map((part) => assignPart(books, line, part));
}

function assignPart(books: Books, line: BankTransaction, { intent, amountMinor }: Part, creditExcess = false): BankAssignment {
  invariant(amountMinor !== 0n && abs(amountMinor) <= abs(line.unassignedMinor), 'no more is assigned than there is');
  invariant(intent.invoiceId !== null && intent.currencyCode === line.currencyCode, 'money is assigned to an invoice of its currency');
  const excessBefore = intent.openMinor < 0n ? -intent.openMinor : 0n;
  const transaction = paymentOf(books, line, intent, amountMinor);
  const posting = { ...transaction, gatewayName: GATEWAY };
  if (amountMinor > 0n) {
    books.operations.push(paymentReceived(posting));
    receivedFor(books, intent, transaction);
    if (creditExcess) creditRest(books, intent, transaction, excessBefore);
  } else {
    books.operations.push(moneyReturned({ ...posting, feeMinor: 0n }));
    books.allocate(intent, 'payout', amountMinor, { transactionId: transaction.id }, transaction.paymentDate);
  }
  line.unassignedMinor -= amountMinor;
  restate(line);
  return {
    id: books.newId(), bankTransactionId: line.id, invoiceId: intent.invoiceId, customerId: intent.customerId, transactionId: transaction.id,
    amountMinor, revokedAt: null, createdAt: books.now,
  }; // prettier-ignore
}

const GATEWAY = 'bank_transfer';

function paymentOf(books: Books, line: BankTransaction, intent: Intent, amountMinor: bigint): PaymentTransaction {
  return books.add({
    id: books.newId(), customerId: intent.customerId, type: amountMinor > 0n ? 'payment' : 'refund', status: 'succeeded', currencyCode: line.currencyCode,
    amountMinor: abs(amountMinor), feeMinor: null, paymentMethodId: null, gatewayName: GATEWAY, paymentDate: line.valueDate, reference: line.reference,
    description: line.remittanceInformation?.slice(0, 1000) ?? null, operationId: null, collectionId: null, intentId: intent.id,
    returnedTransactionId: null, bankTransactionId: line.id, failReason: null, createdAt: books.now,
  }); // prettier-ignore
}

/** What this payment has too much becomes credit whatever the setting says: whoever assigned it has asked for that. */
function creditRest(books: Books, intent: Intent, transaction: PaymentTransaction, excessBefore: bigint): void {
  const amountMinor = -intent.openMinor - excessBefore;
  if (amountMinor <= 0n) return;
  moveToWallet(books, intent, 'overpayment', { transactionId: transaction.id, origin: originOf(transaction), amountMinor });
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
  const parts = spread(line, intents);
  const before = parts.filter((part) => part.intent !== last);
  const open = last.openMinor > 0n ? last.openMinor : 0n;
  const assignments = assignParts(books, line, before);
  const restMinor = line.unassignedMinor;
  if (restMinor > 0n) assignments.push(assignPart(books, line, { intent: last, amountMinor: restMinor }, true));
  return { assignments, disposedMinor: restMinor > open ? restMinor - open : 0n };
}
