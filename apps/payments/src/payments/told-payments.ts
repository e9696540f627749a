import type { TenantTx } from '@kontor/persistence';
import { methods } from '../db/tables.js';
import type { Books } from '../domain/books.js';
import { sepaOrders } from '../sepa/sepa-tables.js';
import { representTransaction, type TransactionView } from './represent-transaction.js';

/** The payments that a decision tells about, by id, as GET answers them: a webhook carries the same. */
export async function toldPayments(tx: TenantTx, books: Books): Promise<Map<string, TransactionView>> {
  const ids = [...books.notices.values()].flat().flatMap((notice) => (notice.type === 'invoice.payment.initiated' ? [] : [notice.transactionId])); // prettier-ignore
  if (ids.length === 0) return new Map();
  const told = ids.flatMap((id) => books.transactions.get(id) ?? []);
  const named = await methods.find(tx, 'id = ANY ($2::uuid[])', [told.flatMap((transaction) => transaction.paymentMethodId ?? [])]);
  const orders = await sepaOrders.find(tx, 'id = ANY ($2::uuid[])', [ids]);
  const methodOf = new Map(named.map((method) => [method.id, method]));
  const orderOf = new Map(orders.map((order) => [order.id, order]));
  return new Map(
    told.map((one) => [one.id, representTransaction(one, [], methodOf.get(one.paymentMethodId ?? '') ?? null, orderOf.get(one.id))]),
  );
}
