import { money, toMoneyJson } from '@kontor/money';
import type { SepaFile } from './sepa-file.row.js';
import type { SepaOrder } from './sepa-order.row.js';
import { FILE_TYPES, type SepaFileView, type SepaPaymentView } from './sepa.schema.js';

const euro = (minor: bigint) => toMoneyJson(money(minor, 'EUR'));

/** A file for the bank as lists show it. */
export const representSepaFile = (file: SepaFile): SepaFileView => ({
  id: file.id,
  type: FILE_TYPES[file.kind],
  format: file.format,
  messageId: file.messageId,
  fileName: file.fileName,
  transactionCount: file.orderCount,
  controlSum: euro(file.sumMinor),
  batches: file.batches.map((batch) => ({
    paymentInformationId: batch.paymentInformationId,
    requestedOn: batch.requestedOn,
    sequenceType: file.kind === 'debit' ? batch.sequenceType : null,
    scheme: batch.scheme,
    transactionCount: batch.count,
    controlSum: euro(BigInt(batch.sumMinor)),
  })),
  createdAt: file.createdAt.toISOString(),
});

/** An order of a file: what the bank was asked for and what has become of it. */
export const representSepaOrder = (order: SepaOrder): SepaPaymentView => ({
  transactionId: order.id,
  intentId: order.intentId,
  customerId: order.customerId,
  paymentMethodId: order.paymentMethodId,
  amount: euro(order.amountMinor),
  endToEndId: order.endToEndId,
  requestedOn: order.requestedOn,
  sequenceType: order.kind === 'debit' ? order.sequenceType : null,
  status: order.status,
  statusReason: order.statusReason,
});
