import { DomainError, invalidTransition, validationFailed } from '@kontor/kernel';
import type { Books } from './books.js';
import { applyCredit, creditTopUp, moveToWallet, type SpentCredit, takeBackCredit } from './credit.js';
import { type Intent, isSettled } from './intent.js';
import type { Origin } from './lots.js';
import { moneyReturned, paymentReceived } from './postings.js';
import type { PaymentTransaction } from './transaction.js';

/** Money that somebody says was received (or, for a credit note, paid out). */
export interface ReportedPayment {
  readonly operationId: string;
  /** Null: the open amount. */
  readonly amountMinor: bigint | null;
  /** Null: the document's. */
  readonly currencyCode: string | null;
  readonly feeMinor: bigint | null;
  readonly paymentDate: Date | null;
  readonly description: string;
}

export interface ReportedMethod {
  readonly id: string;
  readonly gatewayName: string;
}

/**
 * Checks a reported payment and gives its size in minor units (positive also for a pay-out).
 * @throws DomainError `currency_mismatch`, `validation_failed` (zero, wrong sign, more than a credit note owes, a date in the future), `invoice_not_unpaid`.
 */
export function checkReported(intent: Intent, reported: ReportedPayment, now: Date): bigint {
  if (intent.status === 'cancelled' || isSettled(intent)) {
    throw new DomainError('invoice_not_unpaid', { detail: 'Payments can be added only while the invoice is unpaid.' });
  }
  if (reported.currencyCode !== null && reported.currencyCode !== intent.currencyCode) {
    throw new DomainError('currency_mismatch', { detail: `The invoice is in ${intent.currencyCode}.` });
  }
  if (reported.paymentDate !== null && reported.paymentDate > now)
    throw validationFailed('paymentDate', 'The payment date lies in the future.', 'date_in_future');
  if (reported.feeMinor !== null && reported.feeMinor < 0n)
    throw validationFailed('feeAmount', 'A fee is not negative.', 'negative_amount');
  const amountMinor = reported.amountMinor ?? intent.openMinor;
  if (amountMinor === 0n) throw validationFailed('amount', 'The amount is zero.', 'zero_amount');
  if (intent.amountMinor > 0n) {
    if (amountMinor < 0n) throw validationFailed('amount', 'The amount of a payment is positive.', 'negative_amount');
    return amountMinor;
  }
  const size = amountMinor < 0n ? -amountMinor : amountMinor;
  if (size > -intent.openMinor) throw validationFailed('amount', 'More than the credit note still owes.', 'amount_too_large');
  return size;
}

/** Books a reported payment. The same `operationId` is to be kept out by the caller. */
export function recordPayment(books: Books, intent: Intent, method: ReportedMethod, reported: ReportedPayment): PaymentTransaction {
  const amountMinor = checkReported(intent, reported, books.now);
  const isPayout = intent.amountMinor < 0n;
  const transaction = books.add({
    id: books.newId(), customerId: intent.customerId, type: isPayout ? 'refund' : 'payment', status: 'succeeded', currencyCode: intent.currencyCode,
    amountMinor, feeMinor: reported.feeMinor, paymentMethodId: method.id, gatewayName: method.gatewayName, paymentDate: reported.paymentDate ?? books.now,
    reference: null, description: reported.description, operationId: reported.operationId, collectionId: null, intentId: intent.id,
    returnedTransactionId: null, failReason: null, createdAt: books.now,
  }); // prettier-ignore
  const posting = {
    id: transaction.id,
    customerId: intent.customerId,
    currencyCode: intent.currencyCode,
    amountMinor,
    gatewayName: method.gatewayName,
  };
  if (isPayout) {
    books.operations.push(moneyReturned({ ...posting, feeMinor: 0n }));
    books.allocate(intent, 'payout', -amountMinor, { transactionId: transaction.id }, transaction.paymentDate);
    return transaction;
  }
  books.operations.push(paymentReceived(posting));
  receivedFor(books, intent, transaction);
  return transaction;
}

/**
 * Money of a transaction arrives on its intent, or `amountMinor` of it on one of several. Behaviour rule 1: with the setting on, what exceeds the open amount
 * becomes credit and the open amount is zero; only what is too much now is credited, never what was credited before.
 */
export function receivedFor(
  books: Books,
  intent: Intent,
  transaction: PaymentTransaction,
  amountMinor: bigint = transaction.amountMinor,
): void {
  intent.failReason = null;
  books.allocate(intent, 'payment', amountMinor, { transactionId: transaction.id }, transaction.paymentDate);
  if (intent.topUpId !== null) {
    creditTopUp(books, intent, { ...transaction, origin: originOf(transaction) });
    return;
  }
  if (intent.openMinor >= 0n || !books.rulesOf(intent.customerId).creditOverpayments) return;
  moveToWallet(books, intent, 'overpayment', { transactionId: transaction.id, origin: originOf(transaction) });
  applyCredit(books, intent.customerId, intent.currencyCode);
}

/** Where credit that a payment brings comes from (behaviour rule 4). */
export const originOf = (transaction: PaymentTransaction): Origin => ({
  paymentMethodId: transaction.paymentMethodId,
  gatewayName: transaction.gatewayName,
  reference: transaction.reference ?? transaction.id,
});

export interface PaymentReturn {
  readonly reason: string;
  /** What the bank or gateway keeps for it, in minor units. */
  readonly feeMinor: bigint;
  /** The statement line that shows the return, or whose assignment is taken back. */
  readonly bankTransactionId?: string | null;
}

/** What a payment did, as far as a return has to undo it. */
export interface PaymentEffects {
  /** The intents that it goes back from, and what each got. */
  readonly paid: readonly { readonly intentId: string; readonly amountMinor: bigint }[];
  /** What the credit that it brought has paid since. */
  readonly spent: readonly SpentCredit[];
  /** What other intents keep of it, in minor units: it stands as long as there is any. */
  readonly keptMinor?: bigint;
}

/**
 * A payment went back, or the part of it that some of its intents got: they are open again by that. Credit that it had
 * brought goes with it, and invoices which that credit paid are open again too.
 * @throws DomainError `invalid_status_transition` unless it is a succeeded payment.
 */
export function returnPayment(
  books: Books,
  payment: PaymentTransaction,
  effects: PaymentEffects,
  { reason, feeMinor, bankTransactionId = null }: PaymentReturn,
): PaymentTransaction {
  if (payment.type !== 'payment' || payment.status !== 'succeeded')
    throw invalidTransition(`transaction (${payment.type})`, payment.status, 'return');
  const amountMinor = effects.paid.reduce((sum, part) => sum + part.amountMinor, 0n);
  const [first, second] = effects.paid;
  const back = books.add({
    id: books.newId(), customerId: payment.customerId, type: 'return', status: 'succeeded', currencyCode: payment.currencyCode, amountMinor,
    feeMinor, paymentMethodId: payment.paymentMethodId, gatewayName: payment.gatewayName, paymentDate: books.now, reference: payment.reference,
    description: reason, operationId: null, collectionId: null, intentId: second ? null : (first?.intentId ?? payment.intentId), returnedTransactionId: payment.id,
    bankTransactionId,
    failReason: null, createdAt: books.now,
  }); // prettier-ignore
  if ((effects.keptMinor ?? 0n) === 0n) {
    payment.status = 'returned';
    books.touchTransaction(payment);
  }
  books.operations.push(moneyReturned({ ...payment, id: back.id, amountMinor, feeMinor, bankTransactionId, parts: effects.paid }));
  for (const part of effects.paid) {
    const intent = books.intent(part.intentId);
    books.allocate(intent, 'return', -part.amountMinor, { transactionId: back.id });
    // A top-up is not owed: nobody asks for its money again.
    if (intent.topUpId !== null) Object.assign(intent, { status: 'cancelled', paidAt: null });
  }
  takeBackCredit(books, payment, effects);
  applyCredit(books, payment.customerId, payment.currencyCode);
  return back;
}
