import type { PaymentMethodState } from '@kontor/contracts';
import { ReplicaReader, type TenantTx } from '@kontor/persistence';
import type { InvoiceRoute } from '../domain/charging/group-charges.js';
import type { BillableSubscription, RatingContext } from '../domain/charging/rating-context.js';

/**
 * How the invoices of subscriptions are paid and addressed. A method or an address that is the customer's default
 * counts as none, so that naming it explicitly does not split an invoice.
 */
export async function loadRoutes(
  tx: TenantTx,
  subscriptions: readonly (BillableSubscription & { readonly customerId: string })[],
): Promise<RatingContext['routeOf']> {
  const methods = await defaultOrRemovedMethods(
    tx,
    subscriptions.flatMap((row) => row.paymentMethodId ?? []),
  );
  const addresses = await defaultAddresses(
    tx,
    subscriptions.flatMap((row) => (row.invoiceAddressId === null ? [] : [row.customerId])),
  );
  const unlessDefault = (id: string | null, defaults: ReadonlySet<string>): string | null =>
    id === null || defaults.has(id) ? null : id;
  return ({ paymentMethodId, invoiceAddressId }): InvoiceRoute => ({
    paymentMethodId: unlessDefault(paymentMethodId, methods),
    invoiceAddressId: unlessDefault(invoiceAddressId, addresses),
  });
}

/** A method that was removed leaves its place to the customer's default. */
async function defaultOrRemovedMethods(tx: TenantTx, ids: readonly string[]): Promise<Set<string>> {
  const copies = await new ReplicaReader().copies<PaymentMethodState>(tx, 'payment_method', ids);
  const leaving = [...copies.values()].filter(({ deleted, data }) => deleted || data?.default);
  return new Set(leaving.map(({ id }) => id));
}

/** The default invoice address of a customer, else its default address. */
async function defaultAddresses(tx: TenantTx, customerIds: readonly string[]): Promise<Set<string>> {
  if (customerIds.length === 0) return new Set();
  const rows = await tx.query<{ id: string }>(
    `SELECT DISTINCT ON (customer_id) id FROM customer_address
     WHERE tenant_id = $1 AND customer_id = ANY($2::uuid[]) AND is_default
     ORDER BY customer_id, type = 'TYPE_INVOICE' DESC`,
    [tx.tenantId, [...new Set(customerIds)]],
  );
  return new Set(rows.map((row) => row.id));
}
