import { noteMerged, type TenantTx } from '@kontor/persistence';
import { customerEmailId } from '../contacts/contacts.read.js';
import { addressesByCustomer, publishCustomers } from '../customers/customer-aggregate.js';
import type { CustomerRow } from '../db/customer.row.js';
import * as tables from '../db/tables.js';

const PORTION = 100;

/** Children of a customer become the other one's. */
export async function moveChildren(tx: TenantTx, mergeId: string, sourceId: string, targetId: string): Promise<void> {
  for (;;) {
    const children = await tables.customers.find(
      tx,
      { parentCustomerId: sourceId },
      { orderBy: { id: 'asc' }, limit: PORTION, lock: 'update' },
    );
    if (children.length === 0) return;
    await noteMerged(
      tx,
      mergeId,
      'child',
      children.map(({ id }) => id),
    );
    await assignParent(tx, children, { from: sourceId, to: targetId });
  }
}

/** One parent instead of another, for customers that are locked. */
export async function assignParent(
  tx: TenantTx,
  children: readonly CustomerRow[],
  { from, to }: { from: string; to: string },
): Promise<void> {
  for (const child of children)
    Object.assign(child, { parentCustomerId: to, version: child.version + 1, updatedAt: tx.now });
  await tables.customers.update(tx, children);
  const addresses = await addressesByCustomer(
    tx,
    children.map(({ id }) => id),
  );
  const metadata = { parentCustomerId: to, formerParentCustomerId: from };
  await publishCustomers(
    tx,
    children.map((customer) => ({
      customer,
      addresses: addresses(customer.id),
      notices: [{ type: 'customer.parent.assigned' as const, metadata }],
    })),
  );
}

/** The e-mail addresses of both are the target's, each once; its default one stays. */
export async function moveEmails(
  tx: TenantTx,
  mergeId: string,
  source: CustomerRow,
  target: CustomerRow,
): Promise<void> {
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
  const inserted = await tables.customerEmails.insertMissing(tx, [...byId.values()]);
  const isNew = new Set(inserted.map(({ id }) => id));
  const ids = [...new Set(moved.map(({ id }) => id))];
  await noteMerged(tx, mergeId, 'customer_email', [...isNew]);
  const shared = ids.filter((id) => !isNew.has(id));
  await noteMerged(tx, mergeId, 'shared_email', shared);
}

/** Addresses of another become the target's without becoming its defaults. */
export async function keepDefaultAddresses(tx: TenantTx, mergeId: string, sourceId: string): Promise<void> {
  const rows = await tx.query<{ id: string }>(
    'UPDATE customer_address SET is_default = false WHERE tenant_id = $1 AND customer_id = $2 AND is_default RETURNING id',
    [tx.tenantId, sourceId],
  );
  const ids = rows.map(({ id }) => id);
  await noteMerged(tx, mergeId, 'default_address', ids);
}

/** Subscriptions that a customer has brought are brought by the other one. */
export async function movePartner(tx: TenantTx, mergeId: string, sourceId: string, targetId: string): Promise<void> {
  const rows = await tx.query<{ id: string }>(
    'UPDATE subscription SET partner_id = $3 WHERE tenant_id = $1 AND partner_id = $2 RETURNING id',
    [tx.tenantId, sourceId, targetId],
  );
  const ids = rows.map(({ id }) => id);
  await noteMerged(tx, mergeId, 'partnered_subscription', ids);
}
