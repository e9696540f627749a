import { DomainError, validationFailed } from '@kontor/kernel';
import type { Books } from '../customer-books/books.js';
import { receivedFor } from '../collections/receive-payment.js';
import { type Intent, isDunningFee, isSettled, oldestDueFirst, takesMoney } from '../customer-books/intent.js';
import { moneyReturned, paymentReceived } from '../ledger/postings.js';
import type { PaymentTransaction } from '../customer-books/transaction.js';

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
 * @throws DomainError `currency_mismatch`, `validation_failed` (zero, wrong sign, more than a credit note owes, a date
 * in the future), `invoice_not_unpaid`.
 */
export function checkReported(intent: Intent, reported: ReportedPayment, now: Date): bigint {
  if (!takesMoney(intent) || isSettled(intent)) {
    throw new DomainError('invoice_not_unpaid', { detail: 'Payments can be added only while the invoice is unpaid.' });
  }
  if (reported.currencyCode !== null && reported.currencyCode !== intent.currencyCode) {
    throw new DomainError('currency_mismatch', { detail: `The invoice is in ${intent.currencyCode}.` });
  }
  if (reported.paymentDate !== null && reported.paymentDate > now)
    throw validationFailed('paymentDate', 'paymentDate must not be in the future.', 'date_in_future');
  if (reported.feeMinor !== null && reported.feeMinor < 0n)
    throw validationFailed('feeAmount', 'feeAmount must not be negative.', 'negative_amount');
  const amountMinor = reported.amountMinor ?? intent.openMinor;
  if (amountMinor === 0n) throw validationFailed('amount', 'amount must not be 0.', 'zero_amount');
  if (intent.amountMinor > 0n) {
    if (amountMinor < 0n) throw validationFailed('amount', 'amount must be greater than 0.', 'negative_amount');
    return amountMinor;
  }
  const size = amountMinor < 0n ? -amountMinor : amountMinor;
  if (size > -intent.openMinor)
    throw validationFailed('amount', 'amount must not exceed what the credit note still owes.', 'amount_too_large');
  return size;
}

/** Books a reported payment. The same `operationId` is to be kept out by the caller. */
export function recordPayment(
  books: Books,
  intent: Intent,
  method: ReportedMethod,
  reported: ReportedPayment,
): PaymentTransaction {
  const amountMinor = checkReported(intent, reported, books.now);
  const isPayout = intent.amountMinor < 0n;
  const parts = isPayout ? [] : partsOf(books, intent, amountMinor);
  const transaction = books.add({
    id: books.newId(),
    customerId: intent.customerId,
    type: isPayout ? 'refund' : 'payment',
    status: 'succeeded',
    currencyCode: intent.currencyCode,
    amountMinor,
    feeMinor: reported.feeMinor,
    paymentMethodId: method.id,
    gatewayName: method.gatewayName,
    paymentDate: reported.paymentDate ?? books.now,
    reference: null,
    description: reported.description,
    operationId: reported.operationId,
    collectionId: null,
    intentId: parts.length > 1 ? null : intent.id,
    returnedTransactionId: null,
    failReason: null,
    createdAt: books.now,
  });
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
  books.operations.push(paymentReceived({ ...posting, parts }));
  for (const part of parts) receivedFor(books, part.intent, transaction, part.amountMinor);
  return transaction;
}

/** What is more than the invoice has open pays the fees of its reminders, oldest first; what is left then stays with the invoice. */
function partsOf(books: Books, invoice: Intent, amountMinor: bigint): { intent: Intent; amountMinor: bigint }[] {
  let leftMinor = amountMinor - (invoice.openMinor > 0n ? invoice.openMinor : 0n);
  const fees: { intent: Intent; amountMinor: bigint }[] = [];
  const open = [...books.intents.values()]
    .filter(
      (fee) => isDunningFee(fee) && fee.referencedInvoiceId === invoice.invoiceId && books.creditableMinor(fee) > 0n,
    )
    .sort(oldestDueFirst);
  for (const fee of open) {
    if (leftMinor <= 0n) break;
    const openMinor = books.creditableMinor(fee);
    const part = openMinor < leftMinor ? openMinor : leftMinor;
    fees.push({ intent: fee, amountMinor: part });
    leftMinor -= part;
  }
  const paid = fees.reduce((sum, fee) => sum + fee.amountMinor, 0n);
  return [{ intent: invoice, amountMinor: amountMinor - paid }, ...fees];
}
