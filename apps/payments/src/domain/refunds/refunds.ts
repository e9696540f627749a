import { invariant } from '@kontor/kernel';
import type { Books } from '../customer-books/books.js';
import type { RefundOutcome } from '../gateways/gateway-outcome.js';
import type { Intent } from '../customer-books/intent.js';
import { setOff } from '../customer-books/meet.js';
import { moneyReturned, paymentReceived, payoutFeeKept } from '../ledger/postings.js';
import type { PaymentTransaction } from '../customer-books/transaction.js';
import { creditDocument } from '../wallet/credit.js';

/** A payment of the invoice, and how much of it has not been refunded, nor is about to be. */
export interface RefundablePayment {
  readonly id: string;
  readonly paymentMethodId: string | null;
  readonly gatewayName: string | null;
  /** Minor units. */
  readonly leftMinor: bigint;
  readonly paidAt: Date;
}

/** One piece of a refund: back at the gateway that took the payment, or (`paymentId` null) by a transfer of ours. */
export interface RefundPart {
  readonly paymentId: string | null;
  readonly paymentMethodId: string | null;
  readonly gatewayName: string;
  readonly amountMinor: bigint;
}

export interface RefundPlanRequest {
  /** Minor units, more than zero. */
  readonly amountMinor: bigint;
  /** The method that was asked for; its payments go first. */
  readonly methodId: string | null;
  readonly payments: readonly RefundablePayment[];
  /** True for gateways that can refund what they collected. */
  readonly canRefund: (gatewayName: string) => boolean;
}

/**
 * Which payments go back at their gateways, and how much is left for other ways: first those of the wanted method, then
 * the others, the newest first. No more is refunded of a payment than is left of it.
 */
export function planRefund(request: RefundPlanRequest): { readonly parts: RefundPart[]; readonly restMinor: bigint } {
  const parts: RefundPart[] = [];
  let restMinor = request.amountMinor;
  const isWanted = (payment: RefundablePayment): boolean => payment.paymentMethodId === request.methodId;
  const ordered = [...request.payments].sort(
    (a, b) =>
      Number(isWanted(b)) - Number(isWanted(a)) || b.paidAt.getTime() - a.paidAt.getTime() || (a.id < b.id ? 1 : -1),
  );
  for (const payment of ordered) {
    if (restMinor === 0n || payment.gatewayName === null || !request.canRefund(payment.gatewayName)) continue;
    const amountMinor = payment.leftMinor < restMinor ? payment.leftMinor : restMinor;
    if (amountMinor <= 0n) continue;
    parts.push({
      paymentId: payment.id,
      paymentMethodId: payment.paymentMethodId,
      gatewayName: payment.gatewayName,
      amountMinor,
    });
    restMinor -= amountMinor;
  }
  return { parts, restMinor };
}

/** Notes money that is to go back for a refund document; it is sent after the commit. */
export function startRefund(books: Books, intent: Intent, part: RefundPart, collectionId: string): PaymentTransaction {
  invariant(intent.amountMinor < 0n, 'only what is owed to the customer goes back');
  invariant(
    part.amountMinor > 0n && part.amountMinor <= -intent.openMinor - intent.pendingMinor,
    'no more goes back than is owed',
  );
  const transaction = books.add({
    id: books.newId(),
    customerId: intent.customerId,
    type: 'refund',
    status: 'pending',
    currencyCode: intent.currencyCode,
    amountMinor: part.amountMinor,
    feeMinor: null,
    paymentMethodId: part.paymentMethodId,
    gatewayName: part.gatewayName,
    paymentDate: books.now,
    reference: null,
    description: null,
    operationId: null,
    collectionId,
    intentId: intent.id,
    returnedTransactionId: null,
    refundedTransactionId: part.paymentId,
    failReason: null,
    createdAt: books.now,
  });
  intent.pendingMinor += part.amountMinor;
  intent.failReason = null;
  books.restate(intent);
  return transaction;
}

/** What a document got of a pay-out and still has, minor units. */
export interface PayoutPart {
  readonly intentId: string;
  readonly amountMinor: bigint;
}

/**
 * Books what became of a refund, once. A refund that fails after it had succeeded (the account is gone), or that was
 * paid out by hand and comes back, brings the money back, and the documents that it had paid out (`parts`) are open again. Returns
 * whether anything changed.
 */
export function settleRefund(
  books: Books,
  transaction: PaymentTransaction,
  outcome: RefundOutcome,
  parts: readonly PayoutPart[] = [],
): boolean {
  if (outcome.status === 'unknown') return false;
  if (transaction.status === 'succeeded' && outcome.status === 'declined')
    return bringPayoutBack(books, transaction, parts, outcome);
  if (transaction.status !== 'pending' || transaction.intentId === null) return false;
  const intent = books.intent(transaction.intentId);
  if (outcome.status === 'pending') {
    if (transaction.reference === outcome.reference) return false;
    transaction.reference = outcome.reference;
    books.touchTransaction(transaction);
    return true;
  }
  intent.pendingMinor -= transaction.amountMinor;
  if (outcome.status === 'declined') return fail(books, [intent], transaction, outcome.reason);
  Object.assign(transaction, { status: 'succeeded', reference: outcome.reference, paymentDate: books.now });
  // Whose the document is by now: since a merge was undone, that may be somebody else.
  books.operations.push(moneyReturned({ ...transaction, customerId: intent.customerId, feeMinor: 0n }));
  books.allocate(intent, 'payout', -transaction.amountMinor, { transactionId: transaction.id });
  books.touchTransaction(transaction);
  return true;
}

/** What was only reported is not in suspense: there is no line that it came with. */
function bringPayoutBack(
  books: Books,
  payout: PaymentTransaction,
  parts: readonly PayoutPart[],
  outcome: Extract<RefundOutcome, { readonly status: 'declined' }>,
): boolean {
  if (parts.length === 0) return false;
  const report = 'reported' in outcome ? outcome.reported : null;
  books.operations.push(
    paymentReceived({
      ...payout,
      bankTransactionId: report ? null : payout.bankTransactionId,
      parts: parts.map((part) => ({ ...part, customerId: books.intent(part.intentId).customerId })),
    }),
  );
  if (report && report.feeMinor > 0n) {
    books.operations.push(payoutFeeKept({ ...payout, amountMinor: report.feeMinor }));
    payout.feeMinor = report.feeMinor;
  }
  const documents = parts.map(({ intentId, amountMinor }) => {
    const document = books.intent(intentId);
    books.allocate(document, 'payout', amountMinor, { transactionId: payout.id });
    return document;
  });
  return fail(books, documents, payout, outcome.reason);
}

function fail(books: Books, documents: readonly Intent[], transaction: PaymentTransaction, reason: string): boolean {
  transaction.status = 'failed';
  transaction.failReason = reason;
  books.touchTransaction(transaction);
  for (const document of documents) {
    document.failReason = reason;
    books.restate(document);
    books.notify(document, { type: 'payment.failed', transactionId: transaction.id });
    meetCancellations(books, document);
  }
  return true;
}

/**
 * A credit note that was taken back while its money was under way owes nothing: what stayed settles its cancellation. What was paid
 * on that already is too much by now, and the customer's.
 */
function meetCancellations(books: Books, note: Intent): void {
  for (const document of books.intents.values()) {
    if (document.documentType !== 'TYPE_CANCEL' || document.referencedInvoiceId !== note.invoiceId) continue;
    const owedMinor = -note.openMinor - note.pendingMinor;
    if (owedMinor <= 0n) return;
    setOff(books, note, document, owedMinor);
    const isCustomers = document.customerId === note.customerId && books.rulesOf(note.customerId).walletEnabled;
    if (isCustomers && document.openMinor + document.pendingMinor < 0n) creditDocument(books, document);
    return;
  }
}
