import type { Books } from './books.js';
import { applyCredit } from './credit.js';
import { collectableMinor, type Intent, isSettled } from './intent.js';
import { canCollect, type ChargeableMethod } from './payment-method.js';
import { receivedFor } from './payments.js';
import { collectionFailed, collectionStarted, collectionSucceeded, type GatewayPosting } from './postings.js';
import type { PaymentTransaction } from './transaction.js';

/**
 * What a gateway said about a charge. `pending`: it took the order, and its word comes later (a call-back, a line of the bank
 * statement). `unknown`: it must be asked again, with the same id.
 */
export type GatewayOutcome =
  | { readonly status: 'succeeded'; readonly reference: string }
  | { readonly status: 'declined'; readonly reason: string }
  | { readonly status: 'action_required'; readonly reference: string }
  | { readonly status: 'pending'; readonly reference: string }
  | { readonly status: 'unknown' };

/** Notes that a gateway is to be asked for what is open; the asking happens after the commit. Nothing when nothing is open or the method waits for money. */
export function startCollection(
  books: Books,
  intent: Intent,
  method: ChargeableMethod,
  collectionId: string,
): PaymentTransaction | undefined {
  const amountMinor = collectableMinor(intent);
  if (amountMinor === 0n || !canCollect(method, intent.currencyCode)) return undefined;
  const transaction = books.add({
    id: books.newId(), customerId: intent.customerId, type: 'payment', status: 'pending', currencyCode: intent.currencyCode, amountMinor, feeMinor: null,
    paymentMethodId: method.id, gatewayName: method.gatewayName, paymentDate: books.now, reference: null, description: null, operationId: null,
    collectionId, intentId: intent.id, returnedTransactionId: null, failReason: null, createdAt: books.now,
  }); // prettier-ignore
  books.operations.push(collectionStarted(postingOf(transaction)));
  intent.pendingMinor += amountMinor;
  intent.failReason = null;
  books.restate(intent);
  books.tell(intent, { type: 'invoice.payment.initiated', transactionId: transaction.id });
  return transaction;
}

/**
 * Another method is to settle an open intent; null: none can. What is open is asked of it at once where it collects.
 * Nothing while a gateway is collecting already, or when nothing is open any more. Returns whether anything changed.
 */
export function changeMethod(books: Books, intent: Intent, method: ChargeableMethod | null, collectionId: string): boolean {
  if (intent.status === 'cancelled' || isSettled(intent) || intent.pendingMinor > 0n) return false;
  const methodId = method?.id ?? null;
  const isAnother = intent.paymentMethodId !== methodId;
  intent.paymentMethodId = methodId;
  if (isAnother) books.touch(intent);
  const started = method ? startCollection(books, intent, method, collectionId) : undefined;
  return isAnother || started !== undefined;
}

const postingOf = (transaction: PaymentTransaction): GatewayPosting => ({
  id: transaction.id,
  customerId: transaction.customerId,
  currencyCode: transaction.currencyCode,
  amountMinor: transaction.amountMinor,
  gatewayName: transaction.gatewayName,
});

/** True while a gateway's answer still matters. */
export const isUndecided = (transaction: PaymentTransaction): boolean =>
  transaction.status === 'pending' || transaction.status === 'action_required';

/**
 * Books what the gateway said, once: a second answer to a decided collection changes nothing, whoever brings it.
 * Returns whether anything changed.
 */
export function settleCollection(books: Books, transaction: PaymentTransaction, outcome: GatewayOutcome): boolean {
  if (!isUndecided(transaction) || outcome.status === 'unknown' || transaction.intentId === null) return false;
  const intent = books.intent(transaction.intentId);
  if (outcome.status === 'pending') {
    if (transaction.reference !== null) return false;
    transaction.reference = outcome.reference;
    books.touchTransaction(transaction);
    return true;
  }
  if (outcome.status === 'action_required') {
    if (transaction.status === 'action_required') return false;
    transaction.status = 'action_required';
    transaction.reference = outcome.reference;
    books.touchTransaction(transaction);
    return true;
  }
  intent.pendingMinor -= transaction.amountMinor;
  if (outcome.status === 'succeeded') succeed(books, intent, transaction, outcome.reference);
  else decline(books, intent, transaction, outcome.reason);
  books.touchTransaction(transaction);
  return true;
}

function succeed(books: Books, intent: Intent, transaction: PaymentTransaction, reference: string): void {
  transaction.status = 'succeeded';
  transaction.reference = reference;
  transaction.paymentDate = books.now;
  books.operations.push(collectionSucceeded(postingOf(transaction)));
  receivedFor(books, intent, transaction);
}

function decline(books: Books, intent: Intent, transaction: PaymentTransaction, reason: string): void {
  transaction.status = 'failed';
  transaction.failReason = reason;
  books.operations.push(collectionFailed(postingOf(transaction)));
  intent.failReason = reason;
  books.restate(intent);
  books.tell(intent, { type: 'payment.failed', transactionId: transaction.id });
  applyCredit(books, intent.customerId, intent.currencyCode);
}
