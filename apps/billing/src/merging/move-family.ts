import type { TenantTx } from '@kontor/persistence';
import { customerEmailId } from '../contacts/contacts.read.js';
import { addressesByCustomer, publishCustomers } from '../customers/customer-aggregate.js';
import type { CustomerRow } from '../db/customer.row.js';
import * as tables from '../db/tables.js';

const PORTION = 100;

/** Children of a customer become the other one's. */
export async function moveChildren(tx: TenantTx, sourceId: string, targetId: string): Promise<void> {
  const metadata = { parentCustomerId: targetId, formerParentCustomerId: sourceId };
  for (;;) {
    const children = await tables.customers.find(
      tx,
      { parentCustomerId: sourceId },
      { orderBy: { id: 'asc' }, limit: PORTION, lock: 'update' },
    );
    if (children.length === 0) return;
    for (const child of children)
      Object.assign(child, { parentCustomerId: targetId, version: child.version + 1, updatedAt: tx.now });
    await tables.customers.update(tx, children);
    const addresses = await addressesByCustomer(
      tx,
      children.map(({ id }) => id),
    );
    await publishCustomers(
      tx,
      children.map((customer) => ({
        customer,
        addresses: addresses(customer.id),
        notices: [{ type: 'customer.parent.assigned' as const, metadata }],
      })),
    );
  }
}

/** The e-mail addresses of both are the target's, each once; its default one stays. */
export async function moveEmails(tx: TenantTx, source: CustomerRow, target: CustomerRow): Promise<void> {
  const rows = await tables.customerEmails.find(tx, { customerId: source.id }, { orderBy: { createdAt: 'asc' } });
  await tables.customerEmails.delete(tx, { customerId: source.id });
  const defaultId = customerEmailId(target.id, target.email);
  const moved = [source.email, ...rows.map(({ email }) => email)].map((email) => ({
    id: customerEmailId(target.id, email),
    customerId: target.id,
    email,
    createdAt: tx.now,
  }));
  const byId = new Map(moved.filter(({ id }) => id !== defaultId).map((row) => [row.id, row]));
  await tables.customerEmails.insertMissing(tx, [...byId.values()]);
}

/** Addresses of another become the target's without becoming its defaults. */
export const keepDefaultAddresses = (tx: TenantTx, sourceId: string): Promise<unknown> =>
  tx.query('UPDATE customer_address SET is_default = false WHERE tenant_id = $1 AND customer_id = $2 AND is_default', [
    tx.tenantId,
    sourceId,
  ]);
