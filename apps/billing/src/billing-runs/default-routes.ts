import type { TenantTx } from '@kontor/persistence';
import type { SubscriptionRow } from '../db/subscription.row.js';
import type { InvoiceRoute } from '../domain/charging/group-charges.js';

/** Which payment methods and addresses are their customers' defaults, so that naming one explicitly does not split an invoice. */
export interface DefaultRoutes {
  readonly routeOf: (subscription: SubscriptionRow) => InvoiceRoute;
}

/** Looks only at customers of whom a subscription names a method or an address of its own. */
export async function loadDefaultRoutes(tx: TenantTx, subscriptions: readonly SubscriptionRow[]): Promise<DefaultRoutes> {
  const methods = await defaultOrRemovedMethods(tx, subscriptions.flatMap((row) => row.paymentMethodId ?? [])); // prettier-ignore
  const addresses = await defaultAddresses(tx, subscriptions.flatMap((row) => (row.invoiceAddressId === null ? [] : [row.customerId]))); // prettier-ignore
  const own = (id: string | null, defaults: ReadonlySet<string>): string | null => (id === null || defaults.has(id) ? null : id);
  return {
    routeOf: (row) => ({ paymentMethodId: own(row.paymentMethodId, methods), invoiceAddressId: own(row.invoiceAddressId, addresses) }),
  };
}

/** A method that was removed leaves its place to the customer's default. */
async function defaultOrRemovedMethods(tx: TenantTx, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await tx.query<{ id: string }>(
    `select id from replica where tenant_id = $1 and kind = 'payment_method' and id = any($2::text[]) and (deleted or data->>'default' = 'true')`,
    [tx.tenantId, [...new Set(ids)]],
  );
  return new Set(rows.map((row) => row.id));
}

/** The default invoice address of a customer, else its default address. */
async function defaultAddresses(tx: TenantTx, customerIds: readonly string[]): Promise<Set<string>> {
  if (customerIds.length === 0) return new Set();
  const rows = await tx.query<{ id: string }>(
    `select distinct on (customer_id) id from customer_address
     where tenant_id = $1 and customer_id = any($2::uuid[]) and is_default order by customer_id, type = 'TYPE_INVOICE' desc`,
    [tx.tenantId, [...new Set(customerIds)]],
  );
  return new Set(rows.map((row) => row.id));
}
