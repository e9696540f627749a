import type { RecordPaymentRequest, RecordPaymentResponse } from '@kontor/contracts';
import { DomainError, isUuid, unknownReference, validationFailed } from '@kontor/kernel';
import { Database, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { CustomerBooks } from '../customer-books/customer-books.js';
import { lockCustomers } from '../customer-books/lock-customers.js';
import { intents } from '../customer-books/intent.row.js';
import { transactions } from '../customer-books/transaction.row.js';
import { methods } from '../payment-methods/payment-method.row.js';
import type { Intent } from '../domain/customer-books/intent.js';
import { recordPayment, type ReportedPayment } from '../domain/intents/record-payment.js';
import type { PaymentTransaction } from '../domain/customer-books/transaction.js';
import { intentState } from '../customer-books/books-events.js';
import { IntentReactions } from './reactions.js';

/** Books money that was already received for an invoice, or paid out for a credit note; once per operation id. */
@Injectable()
export class RecordPayment {
  constructor(
    private readonly database: Database,
    private readonly customerBooks: CustomerBooks,
    private readonly reactions: IntentReactions,
  ) {}

  /**
   * @throws DomainError `unknown_reference` (method), `invoice_not_unpaid`, `currency_mismatch`, `validation_failed`
   * (amount, fee, paymentDate, a method that is the customer's credit).
   */
  execute(tenantId: string, request: RecordPaymentRequest): Promise<RecordPaymentResponse> {
    return this.database.tenant(tenantId, async (tx) => {
      const [found] = await intents.where(tx, 'invoice_id = $2', [request.invoiceId]);
      if (!found) throw new DomainError('invoice_not_unpaid', { detail: 'The invoice has no open payment.' });
      await lockCustomers(tx, [found.customerId]);
      const earlier = await this.findRecorded(tx, request.operationId);
      if (earlier) return earlier;
      const [method] = isUuid(request.paymentMethodId)
        ? await methods.where(tx, 'id = $2 AND deleted_at IS NULL', [request.paymentMethodId])
        : [];
      if (!method || method.customerId !== found.customerId) throw unknownReference('paymentMethod', 'payment method');
      // Nothing would be taken from the credit: it would pay a second time.
      if (method.gatewayName === 'wallet')
        throw validationFailed(
          'paymentMethod',
          'Credit is no money that was received: it pays by itself where applyCreditAutomatically is on.',
          'not_allowed',
        );
      const customerIds = [found.customerId];
      const books = await this.customerBooks.load(tx, { customerIds, intentIds: [found.id], crediting: customerIds });
      const intent = books.intent(found.id);
      const transaction = recordPayment(books, intent, method, reported(request, intent));
      await this.customerBooks.save(tx, books);
      await this.reactions.paymentRecorded(tx);
      return answer(intent, transaction);
    });
  }

  /** What became of an operation, for a caller that got no answer; null when it never arrived. */
  find(tenantId: string, operationId: string): Promise<RecordPaymentResponse | null> {
    return this.database.tenant(tenantId, (tx) => this.findRecorded(tx, operationId), { readOnly: true });
  }

  private async findRecorded(tx: TenantTx, operationId: string): Promise<RecordPaymentResponse | null> {
    const [transaction] = await transactions.where(tx, 'operation_id = $2', [operationId]);
    if (!transaction) return null;
    // Of one that paid fees of reminders too, the invoice.
    const [intent] = transaction.intentId
      ? await intents.where(tx, 'id = $2', [transaction.intentId])
      : await intents.where(
          tx,
          `document_type NOT IN ('TYPE_REMINDER', 'TYPE_DUNNING') AND id IN (
             SELECT intent_id FROM payment_allocation WHERE tenant_id = $1 AND transaction_id = $2)`,
          [transaction.id],
        );
    return answer(intent as Intent, transaction);
  }
}

const answer = (intent: Intent, transaction: PaymentTransaction): RecordPaymentResponse => ({
  intent: intentState(intent),
  version: intent.version,
  transactionId: transaction.id,
});

function reported(request: RecordPaymentRequest, intent: Intent): ReportedPayment {
  const currencyCode = request.currencyCode ?? request.amount?.currencyCode ?? null;
  if (request.feeAmount && request.feeAmount.currencyCode !== (currencyCode ?? intent.currencyCode)) {
    throw new DomainError('currency_mismatch', { detail: `The invoice is in ${intent.currencyCode}.` });
  }
  const paymentDate = request.paymentDate === null ? null : new Date(request.paymentDate);
  if (paymentDate && Number.isNaN(paymentDate.getTime()))
    throw validationFailed('paymentDate', 'paymentDate must be a date.', 'invalid_date');
  return {
    operationId: request.operationId,
    amountMinor: request.amount === null ? null : BigInt(request.amount.amount),
    currencyCode,
    feeMinor: request.feeAmount === null ? null : BigInt(request.feeAmount.amount),
    paymentDate,
    description: request.description,
  };
}
