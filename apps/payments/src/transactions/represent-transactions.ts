import type { TenantTx } from '@kontor/persistence';
import { allocations } from '../customer-books/allocation.row.js';
import type { PaymentTransaction } from '../domain/customer-books/transaction.js';
import type { BankOrders } from '../gateways/port/bank-orders.js';
import { methods } from '../payment-methods/payment-method.row.js';
import { representTransaction } from './represent-transaction.js';
import type { TransactionView } from './transaction.schema.js';

/** Transactions as GET answers them, with what their documents got, their methods and their orders at the bank. */
export async function representTransactions(
  tx: TenantTx,
  rows: readonly PaymentTransaction[],
  bankOrders: BankOrders,
  actionUrlOf: (row: PaymentTransaction) => string | null = () => null,
): Promise<TransactionView[]> {
  if (rows.length === 0) return [];
  const ids = rows.map((row) => row.id);
  const parts = await allocations.where(
    tx,
    `transaction_id = ANY ($2::uuid[]) AND kind IN ('payment', 'payout', 'return')
      AND (kind = 'payment') = (amount_minor > 0) ORDER BY id`,
    [ids],
  );
  const named = await methods.findByIds(
    tx,
    rows.flatMap((row) => row.paymentMethodId ?? []),
  );
  const orders = await bankOrders.findByTransactions(tx, ids);
  return rows.map((row) =>
    representTransaction(
      row,
      parts.filter((part) => part.transactionId === row.id),
      named.find((method) => method.id === row.paymentMethodId) ?? null,
      orders.get(row.id),
      actionUrlOf(row),
    ),
  );
}
