import { money, toMoneyJson } from '@kontor/money';
import type { PaymentMethod } from '../payment-methods/payment-method.row.js';
import type { Allocation, PaymentTransaction } from '../domain/customer-books/transaction.js';
import type { BankOrder } from '../gateways/port/bank-orders.js';
import { representMethod } from '../payment-methods/represent-method.js';
import type { TransactionView } from './transaction.schema.js';

/** A transaction as GET answers it. Amounts of its intents are positive, as its own: the type gives the direction. */
export const representTransaction = (
  transaction: PaymentTransaction,
  parts: readonly Pick<Allocation, 'intentId' | 'amountMinor'>[],
  method: PaymentMethod | null,
  order: BankOrder | null = null,
  actionUrl: string | null = null,
): TransactionView => {
  const amount = (minor: bigint) => toMoneyJson(money(minor < 0n ? -minor : minor, transaction.currencyCode));
  const intents =
    parts.length > 0 || transaction.intentId === null
      ? parts
      : [{ intentId: transaction.intentId, amountMinor: transaction.amountMinor }];
  return {
    id: transaction.id,
    intents: intents.map((part) => ({ id: part.intentId, amount: amount(part.amountMinor) })),
    type: transaction.type,
    status: transaction.status,
    customerId: transaction.customerId,
    amount: amount(transaction.amountMinor),
    feeAmount: transaction.feeMinor === null ? null : amount(transaction.feeMinor),
    paymentMethod: method ? representMethod(method) : null,
    gateway: transaction.gatewayName,
    paymentDate: transaction.paymentDate.toISOString(),
    reference: transaction.reference,
    collectionDate: order?.requestedOn ?? null,
    endToEndId: order?.endToEndId ?? null,
    description: transaction.description,
    failReason: transaction.failReason,
    actionUrl,
    returnedTransactionId: transaction.returnedTransactionId,
    refundedTransactionId: transaction.refundedTransactionId ?? null,
    createdAt: transaction.createdAt.toISOString(),
  };
};
