import { invalidTransition } from '@kontor/kernel';
import type { Books } from '../customer-books/books.js';
import { isDunningFee } from '../customer-books/intent.js';
import { releaseFee } from '../customer-books/release-fee.js';
import type { PaymentTransaction } from '../customer-books/transaction.js';
import { moneyReturned } from '../ledger/postings.js';
import { applyCredit } from '../wallet/apply-credit.js';
import { type SpentCredit, withdrawCredit } from '../wallet/withdraw-credit.js';
import { bringBack, type GivenByDocuments } from './bring-back.js';
import { standingMinor } from './standing-parts.js';

export interface PaymentReturn {
  readonly reason: string;
  /** How much of it went back, in minor units; none: all that stands. */
  readonly amountMinor?: bigint | null;
  /** What the bank or gateway keeps for it, in minor units. */
  readonly feeMinor: bigint;
  /** The statement line that shows the return, or whose assignment is revoked. */
  readonly bankTransactionId?: string | null;
}

/** What a payment did, as far as a return has to undo it. */
export interface PaymentEffects {
  /** The intents that it goes back from, and what each got. */
  readonly paid: readonly { readonly intentId: string; readonly amountMinor: bigint }[];
  /** What the credit that it brought has paid since. */
  readonly spent: readonly SpentCredit[];
  /** What documents gave that took back invoices which it, or credit that it brought, had paid. */
  readonly given?: GivenByDocuments;
  /** What other intents keep of it, in minor units: it stands as long as there is any. */
  readonly keptMinor?: bigint;
  /** Lets what refunds owe of it meet what is open again, before credit pays that: credit does not become money by it. */
  readonly stopRefunds?: () => void;
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
  const amountMinor = standingMinor(effects.paid);
  const [first, second] = effects.paid;
  const back = books.add({
    id: books.newId(),
    customerId: payment.customerId,
    type: 'return',
    status: 'succeeded',
    currencyCode: payment.currencyCode,
    amountMinor,
    feeMinor,
    paymentMethodId: payment.paymentMethodId,
    gatewayName: payment.gatewayName,
    paymentDate: books.now,
    reference: payment.reference,
    description: reason,
    operationId: null,
    collectionId: null,
    intentId: second ? null : (first?.intentId ?? payment.intentId),
    returnedTransactionId: payment.id,
    bankTransactionId,
    failReason: null,
    createdAt: books.now,
  });
  if ((effects.keptMinor ?? 0n) === 0n) {
    payment.status = 'returned';
    books.touchTransaction(payment);
  }
  books.operations.push(
    moneyReturned({
      ...payment,
      id: back.id,
      amountMinor,
      feeMinor,
      bankTransactionId,
      parts: effects.paid.map((part) => ({ ...part, customerId: books.intent(part.intentId).customerId })),
    }),
  );
  for (const part of effects.paid) {
    const intent = books.intent(part.intentId);
    books.allocate(intent, 'return', -part.amountMinor, { transactionId: back.id });
    // A top-up is not owed: nobody asks for its money again.
    if (intent.topUpId !== null) Object.assign(intent, { status: 'cancelled', paidAt: null });
  }
  const given = effects.given ?? { documents: [], lowered: [], spent: [] };
  const sources = [...effects.paid.map((part) => part.intentId), ...given.documents.map((document) => document.id)];
  // Whose the documents are by now: of a payment of former customers, not only its payer.
  const customerIds = new Set([payment.customerId, ...sources.map((id) => books.intent(id).customerId)]);
  withdrawCredit(books, payment, { customerIds, sources: new Set(sources), spent: effects.spent, amountMinor });
  for (const intentId of new Set([...effects.paid, ...effects.spent].map((part) => part.intentId)))
    bringBack(books, books.intent(intentId), given);
  // Of a letter that is cancelled nothing is owed, whoever had paid it.
  for (const intent of [...books.intents.values()])
    if (isDunningFee(intent) && intent.status === 'cancelled') releaseFee(books, intent, back.id);
  effects.stopRefunds?.();
  for (const customerId of customerIds) applyCredit(books, customerId, payment.currencyCode);
  return back;
}
