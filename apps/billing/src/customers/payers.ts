import type { TenantTx } from '@kontor/persistence';
import { MAX_LEVELS } from '../domain/customers/hierarchy.js';

/** How many others a customer may get the invoices of: a run bills all of them together. */
export const MAX_PAID_FOR = 250;

/** A customer found by its key, one by one: without statistics a join would read a tenant's customers for each of them. */
const parentOf = (child: string): string =>
  `LATERAL (SELECT tenant_id, id, parent_customer_id, invoices_to, settings FROM customer
     WHERE ${child}.invoices_to = 'parent' AND tenant_id = ${child}.tenant_id AND id = ${child}.parent_customer_id OFFSET 0)`;

/** Joins of `p1` and `p2`, who pay for the customer `c` one and two levels above it. */
export const PAYERS = `
  LEFT JOIN ${parentOf('c')} p1 ON true
  LEFT JOIN ${parentOf('p1')} p2 ON true`;

/** Who gets the invoices of a customer: the first one above it that does not leave its own to its parent. */
export async function payerOf(tx: TenantTx, id: string): Promise<string> {
  const [row] = await tx.query<{ id: string }>(
    `SELECT coalesce(p2.id, p1.id, c.id) AS id FROM customer c ${PAYERS} WHERE c.tenant_id = $1 AND c.id = $2`,
    [tx.tenantId, id],
  );
  return row?.id ?? id;
}

/** Some customers and those whose invoices they get. */
export async function paidFor(tx: TenantTx, ids: readonly string[], limit?: number): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `WITH RECURSIVE family (id, level) AS (
       SELECT id, 1 FROM unnest($2::uuid[]) AS x (id)
       UNION ALL
       SELECT c.id, f.level + 1
       FROM family f
       JOIN customer c ON c.tenant_id = $1 AND c.parent_customer_id = f.id AND c.invoices_to = 'parent'
       WHERE f.level < ${MAX_LEVELS}
     )
     SELECT DISTINCT id FROM family LIMIT $3`,
    [tx.tenantId, ids, limit ?? null],
  );
  return rows.map(({ id }) => id);
}

/**
 * Accounts that are billed together with some: those of whoever pays for them, and of all others that this one pays for.
 * Most tenants have no such customers and need no more than a look at an empty index.
 */
export async function withFamilies(tx: TenantTx, ids: readonly string[]): Promise<readonly string[]> {
  const [any] = await tx.query(`SELECT 1 FROM customer WHERE tenant_id = $1 AND invoices_to = 'parent' LIMIT 1`, [
    tx.tenantId,
  ]);
  if (!any) return ids;
  const payers = await tx.query<{ id: string }>(
    `SELECT DISTINCT coalesce(p2.id, p1.id, c.id) AS id FROM customer c ${PAYERS}
     WHERE c.tenant_id = $1 AND c.id = ANY($2::uuid[])`,
    [tx.tenantId, ids],
  );
  return paidFor(
    tx,
    payers.map(({ id }) => id),
  );
}

/**
 * Locks the accounts of customers and of those that they pay for, in the order of all transactions, and has a run that
 * has rated them start over. The tenant's hierarchy is locked by the caller.
 */
export async function lockFamily(tx: TenantTx, ids: readonly string[]): Promise<void> {
  const family = await paidFor(tx, ids);
  await tx.query(
    `SELECT 1 FROM billing_account WHERE tenant_id = $1 AND customer_id = ANY($2::uuid[]) ORDER BY customer_id FOR UPDATE`,
    [tx.tenantId, family],
  );
  await tx.query(
    'UPDATE billing_account SET version = version + 1 WHERE tenant_id = $1 AND customer_id = ANY($2::uuid[])',
    [tx.tenantId, family],
  );
}

/** Whether a customer gets the invoices of others. */
export const paysForOthers = async (tx: TenantTx, id: string): Promise<boolean> =>
  (await paidFor(tx, [id], 2)).length > 1;
