import { type CustomerMerge, notedIds, type TenantTx } from '@kontor/persistence';
import { customerEmailId } from '../contacts/contacts.read.js';
import type { CustomerRow } from '../db/customer.row.js';
import * as tables from '../db/tables.js';
import { assignParent } from './move-family.js';

const PORTION = 100;

const noted = async (tx: TenantTx, mergeId: string, object: string): Promise<string[]> => {
  const sql = `SELECT x.object_id AS id FROM ${notedIds('$2', '$3')} AS x ORDER BY 1`;
  return (await tx.query<{ id: string }>(sql, [tx.tenantId, mergeId, object])).map(({ id }) => id);
};

/** Children that the other customer still has are the first one's again. */
export async function returnChildren(
  tx: TenantTx,
  { mergeId, sourceCustomerId, survivorId }: CustomerMerge,
): Promise<void> {
  const ids = await noted(tx, mergeId, 'child');
  for (let from = 0; from < ids.length; from += PORTION) {
    const children = await tables.customers.find(
      tx,
      { id: ids.slice(from, from + PORTION), parentCustomerId: survivorId },
      { orderBy: { id: 'asc' }, lock: 'update' },
    );
    await assignParent(tx, children, { from: survivorId, to: sourceCustomerId });
  }
}

/** The addresses that came with a merge go; those that both had stay with both. */
export async function returnEmails(
  tx: TenantTx,
  mergeId: string,
  source: CustomerRow,
  target: CustomerRow,
): Promise<void> {
  const came = await noted(tx, mergeId, 'customer_email');
  const shared = await noted(tx, mergeId, 'shared_email');
  const rows = await tables.customerEmails.find(tx, { customerId: target.id, id: [...came, ...shared] });
  const emails = rows.map(({ email }) => email);
  if (shared.includes(customerEmailId(target.id, target.email))) emails.push(target.email);
  if (came.length > 0) await tables.customerEmails.delete(tx, { customerId: target.id, id: came });
  const defaultId = customerEmailId(source.id, source.email);
  const returned = emails
    .map((email) => ({ id: customerEmailId(source.id, email), customerId: source.id, email, createdAt: tx.now }))
    .filter(({ id }) => id !== defaultId);
  await tables.customerEmails.insertMissing(tx, returned);
}

/** What a merge had changed of rows beside their customer. */
export async function returnDetails(
  tx: TenantTx,
  { mergeId, sourceCustomerId, survivorId }: CustomerMerge,
): Promise<void> {
  const params = [tx.tenantId, sourceCustomerId, mergeId];
  await tx.query(
    `UPDATE customer_address a SET is_default = true
     WHERE a.tenant_id = $1 AND a.customer_id = $2
       AND a.id = ANY (SELECT x.object_id::uuid FROM ${notedIds('$3', "'default_address'")} AS x)
       AND NOT EXISTS (
         SELECT FROM customer_address o
         WHERE o.tenant_id = $1 AND o.customer_id = $2 AND o.type = a.type AND o.is_default)`,
    params,
  );
  await tx.query(
    `UPDATE subscription SET partner_id = $2
     WHERE tenant_id = $1 AND partner_id = $4
       AND id = ANY (SELECT x.object_id::uuid FROM ${notedIds('$3', "'partnered_subscription'")} AS x)`,
    [...params, survivorId],
  );
  // What was added to a subscription since goes with it.
  for (const table of ['subscription_item', 'entitlement', 'coupon_redemption'])
    await tx.query(
      `UPDATE ${table} d SET customer_id = $2
       FROM subscription s
       WHERE d.tenant_id = $1 AND d.customer_id = $4 AND s.tenant_id = $1 AND s.id = d.subscription_id
         AND s.customer_id = $2 AND s.id = ANY (SELECT x.object_id::uuid FROM ${notedIds('$3', "'subscription'")} AS x)`,
      [...params, survivorId],
    );
}
