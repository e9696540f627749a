import type { Books } from '../customer-books/books.js';
import type { GatewayOutcome } from '../gateways/gateway-outcome.js';
import { cancelCollection, endReservation } from './cancel-collection.js';
import { isFinal, nextRetry, NO_TRIES } from './collection-retries.js';
import { applyCredit } from '../wallet/apply-credit.js';
import { collectableMinor, type Intent, isSettled } from '../customer-books/intent.js';
import { canCollect, type ChargeableMethod } from '../payment-methods/payment-method.js';
import { receivedFor } from './receive-payment.js';
import {
  collectionFailed,
  collectionStarted,
  collectionSucceeded,
  type GatewayPosting,
  paymentReceived,
} from '../ledger/postings.js';
import type { PaymentTransaction } from '../customer-books/transaction.js';

/**
 * Notes that a gateway is to be asked for what is open; the asking happens after the commit. Nothing when nothing is
 * open or the method waits for money.
 */
export function startCollection(
  books: Books,
  intent: Intent,
  method: ChargeableMethod,
  collectionId: string,
): PaymentTransaction | undefined {
  const amountMinor = collectableMinor(intent);
  if (amountMinor === 0n || !canCollect(method, intent.currencyCode)) return undefined;
  const isRetry = intent.attempts > 0;
  const transaction = books.add({
    id: books.newId(),
    customerId: intent.customerId,
    type: 'payment',
    status: 'pending',
    currencyCode: intent.currencyCode,
    amountMinor,
    feeMinor: null,
    paymentMethodId: method.id,
    gatewayName: method.gatewayName,
    paymentDate: books.now,
    reference: null,
    description: null,
    operationId: null,
    collectionId,
    intentId: intent.id,
    returnedTransactionId: null,
    failReason: null,
    createdAt: books.now,
  });
  books.operations.push(collectionStarted(postingOf(transaction)));
  intent.pendingMinor += amountMinor;
  intent.failReason = null;
  intent.attempts += 1;
  intent.nextRetryAt = null;
  books.restate(intent);
  books.notify(intent, {
    type: isRetry ? 'payment.retry' : 'invoice.payment.initiated',
    transactionId: transaction.id,
  });
  return transaction;
}

/**
 * Collects by the same method what a cancelled collection leaves open. The attempt goes on with the rest: it is no retry. Nothing without
 * a method that can still be used.
 */
export function collectRest(
  books: Books,
  intent: Intent,
  method: ChargeableMethod | undefined,
  collectionId: string,
): PaymentTransaction | undefined {
  intent.attempts = Math.max(intent.attempts - 1, 0);
  books.touch(intent);
  return method && startCollection(books, intent, method, collectionId);
}

/**
 * Another method is to settle an open intent; null: none can. What is open is asked of it at once where it collects. A
 * collection that waits for the payer, or for a file, is cancelled for it, and credit pays first; nothing while a gateway is
 * collecting, or when nothing is open any more. Returns whether anything changed.
 */
export function changeMethod(
  books: Books,
  intent: Intent,
  method: ChargeableMethod | null,
  collectionId: string,
): boolean {
  const methodId = method?.id ?? null;
  const isAnother = intent.paymentMethodId !== methodId;
  if (intent.status === 'cancelled' || isSettled(intent)) return false;
  if (intent.pendingMinor > 0n && !(isAnother && cancelWaiting(books, intent))) return false;
  intent.paymentMethodId = methodId;
  if (isAnother) {
    Object.assign(intent, NO_TRIES);
    books.touch(intent);
  }
  const started = method ? startCollection(books, intent, method, collectionId) : undefined;
  return isAnother || started !== undefined;
}

/**
 * Cancels the intent's collections when all that are under way wait, for the payer or for a file. False when a gateway is collecting, or
 * the bank.
 */
function cancelWaiting(books: Books, intent: Intent): boolean {
  const underWay = [...books.transactions.values()].filter((t) => t.intentId === intent.id && isUndecided(t));
  const underWayMinor = underWay.reduce((sum, t) => sum + t.amountMinor, 0n);
  if (books.movingMinor(intent) > 0n || underWayMinor !== intent.pendingMinor) return false;
  for (const transaction of underWay) cancelCollection(books, transaction, SUPERSEDED);
  return true;
}

/** Why a collection was cancelled: another method was chosen while it waited. */
export const SUPERSEDED = 'superseded';

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
 * Books what the gateway said, once: a second answer to a decided collection changes nothing, whoever brings it. Only
 * money that arrives all the same after a decline, or after the collection was cancelled, is booked: it is there.
 * `retryDays` are the days after the first failure on which a decline is tried again. Returns whether anything changed.
 */
export function settleCollection(
  books: Books,
  transaction: PaymentTransaction,
  outcome: GatewayOutcome,
  retryDays: readonly number[] = [],
): boolean {
  if (outcome.status === 'unknown' || transaction.type !== 'payment' || transaction.intentId === null) return false;
  const intent = books.intent(transaction.intentId);
  if (transaction.status === 'failed' && outcome.status === 'succeeded')
    return arriveLate(books, intent, transaction, outcome.reference);
  if (!isUndecided(transaction)) return false;
  if (outcome.status === 'action_required' || outcome.status === 'pending')
    return wait(books, intent, transaction, outcome);
  endReservation(intent, transaction);
  if (outcome.status === 'succeeded') succeed(books, intent, transaction, outcome.reference);
  else {
    transaction.reference = outcome.reference ?? transaction.reference;
    decline(books, intent, transaction, outcome);
    intent.nextRetryAt = isFinal(outcome) || intent.topUpId !== null ? null : nextRetry(intent, retryDays);
  }
  books.touchTransaction(transaction);
  return true;
}

/** The gateway's word comes later, or the payer has to act first. */
function wait(
  books: Books,
  intent: Intent,
  transaction: PaymentTransaction,
  outcome: { status: 'action_required' | 'pending'; reference: string },
): boolean {
  if (transaction.status === outcome.status && transaction.reference === outcome.reference) return false;
  if (transaction.status !== outcome.status) {
    intent.payerMinor += outcome.status === 'action_required' ? transaction.amountMinor : -transaction.amountMinor;
    books.touch(intent);
  }
  transaction.status = outcome.status;
  transaction.reference = outcome.reference;
  books.touchTransaction(transaction);
  if (outcome.status === 'action_required') applyCredit(books, intent.customerId, intent.currencyCode);
  return true;
}

function succeed(books: Books, intent: Intent, transaction: PaymentTransaction, reference: string): void {
  transaction.status = 'succeeded';
  transaction.reference = reference;
  transaction.paymentDate = books.now;
  Object.assign(intent, NO_TRIES);
  books.operations.push(collectionSucceeded(postingOf(transaction)));
  receivedFor(books, intent, transaction);
}

/**
 * The reservation is gone already, so the money is booked as if it had come by itself; what is too much by now becomes
 * an excess.
 */
function arriveLate(books: Books, intent: Intent, transaction: PaymentTransaction, reference: string): boolean {
  Object.assign(transaction, { status: 'succeeded', reference, failReason: null, paymentDate: books.now });
  Object.assign(intent, NO_TRIES);
  books.operations.push(paymentReceived(postingOf(transaction)));
  receivedFor(books, intent, transaction);
  books.touchTransaction(transaction);
  return true;
}

function decline(books: Books, intent: Intent, transaction: PaymentTransaction, { reason }: { reason: string }): void {
  transaction.status = 'failed';
  transaction.failReason = reason;
  intent.firstFailedAt ??= books.now;
  books.operations.push(collectionFailed(postingOf(transaction)));
  intent.failReason = reason;
  books.restate(intent);
  books.notify(intent, { type: 'payment.failed', transactionId: transaction.id });
  applyCredit(books, intent.customerId, intent.currencyCode);
}
