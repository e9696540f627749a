import type { PaymentMethodState } from '@kontor/contracts';
import type { Tx } from '@kontor/kernel';
import type { Replicas } from '@kontor/persistence';
import type { InvoiceRow } from '../db/invoice.row.js';
import { loadPaymentMethods } from '../invoices/payment-methods.js';

/** By document: the method that it names, else its customer's default. */
export async function findPaymentMethods(
  replicas: Replicas,
  tx: Tx,
  invoices: readonly InvoiceRow[],
): Promise<Map<string, PaymentMethodState>> {
  const named = await loadPaymentMethods(
    replicas,
    tx,
    invoices.map((invoice) => invoice.paymentMethodId).filter((id) => id !== null),
  );
  const unnamed = invoices.filter((invoice) => invoice.paymentMethodId === null).map((invoice) => invoice.customerId);
  const methods = await replicas.byField<PaymentMethodState>(tx, 'payment_method', 'customerId', unnamed);
  const defaults = new Map(methods.flatMap((method) => (method.default ? [[method.customerId, method]] : [])));
  const found = new Map<string, PaymentMethodState>();
  for (const { id, customerId, paymentMethodId } of invoices) {
    const method = paymentMethodId === null ? defaults.get(customerId) : named.get(paymentMethodId);
    if (method) found.set(id, method);
  }
  return found;
}
