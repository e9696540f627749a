import type { TenantTx } from '@kontor/persistence';
import type { Books } from '../domain/customer-books/books.js';
import type { BankOrders } from '../gateways/port/bank-orders.js';
import { methods } from '../payment-methods/payment-method.row.js';
import { representTransaction } from './represent-transaction.js';
import type { TransactionView } from './transaction.schema.js';

/** The payments that a decision's notices carry, by id, as GET answers them: a webhook carries the same. */
export async function loadNotifiedPayments(
  tx: TenantTx,
  books: Books,
  bankOrders: BankOrders,
): Promise<Map<string, TransactionView>> {
  const ids = [...books.notices.values()]
    .flat()
    .flatMap((notice) => (notice.type === 'invoice.payment.initiated' ? [] : [notice.transactionId]));
  if (ids.length === 0) return new Map();
  const notified = ids.flatMap((id) => books.transactions.get(id) ?? []);
  const named = await methods.findByIds(
    tx,
    notified.flatMap((transaction) => transaction.paymentMethodId ?? []),
  );
  const orders = await bankOrders.findByTransactions(tx, ids);
  const methodOf = new Map(named.map((method) => [method.id, method]));
  return new Map(
    notified.map((transaction) => [
      transaction.id,
      representTransaction(
        transaction,
        [],
        methodOf.get(transaction.paymentMethodId ?? '') ?? null,
        orders.get(transaction.id),
      ),
    ]),
  );
}
