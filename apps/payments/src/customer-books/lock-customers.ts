import type { Tx } from '@kontor/kernel';
import { customerMerged } from '@kontor/service-kit';

/**
 * Locks the customers' books for this transaction, in id order: from here on nobody else decides about their money, and
 * every read that follows sees what the one before has committed.
 * @throws DomainError `customer_merged` for books that were closed: what was read of them before is somebody else's now.
 */
export async function lockCustomers(tx: Tx, customerIds: Iterable<string>): Promise<void> {
  for (const mergedInto of (await lockBooks(tx, customerIds)).values())
    if (mergedInto !== null) throw customerMerged(mergedInto);
}

/** {@link lockCustomers}, also of closed books; whom each went to, or null. */
export async function lockBooks(tx: Tx, customerIds: Iterable<string>): Promise<Map<string, string | null>> {
  const ids = [...new Set(customerIds)].sort();
  if (ids.length === 0) return new Map();
  await tx.query(
    `INSERT INTO customer_books (tenant_id, customer_id) SELECT $1::uuid, c FROM unnest($2::uuid[]) AS c ORDER BY c
      ON CONFLICT DO NOTHING`,
    [tx.tenantId, ids],
  );
  const rows = await tx.query<{ id: string; mergedInto: string | null }>(
    `SELECT customer_id AS id, merged_into AS "mergedInto" FROM customer_books WHERE tenant_id = $1 AND customer_id = ANY ($2::uuid[])
      ORDER BY customer_id FOR UPDATE`,
    [tx.tenantId, ids],
  );
  return new Map(rows.map(({ id, mergedInto }) => [id, mergedInto]));
}

/** Whose books are opened for each of these customers: its own, or those of whom it was merged into. */
export async function bookHolders(tx: Tx, customerIds: readonly string[]): Promise<(customerId: string) => string> {
  const rows = await tx.query<{ id: string; mergedInto: string }>(
    `SELECT customer_id AS id, merged_into AS "mergedInto" FROM customer_books
     WHERE tenant_id = $1 AND customer_id = ANY ($2::uuid[]) AND merged_into IS NOT NULL`,
    [tx.tenantId, customerIds],
  );
  const holders = new Map(rows.map(({ id, mergedInto }) => [id, mergedInto]));
  return (customerId) => holders.get(customerId) ?? customerId;
}
