import type { Tx } from '@kontor/kernel';

/**
 * Locks the customers' books for this transaction, in id order: from here on nobody else decides about their money, and
 * every read that follows sees what the one before has committed.
 */
export async function lockCustomers(tx: Tx, customerIds: Iterable<string>): Promise<void> {
  const ids = [...new Set(customerIds)].sort();
  if (ids.length === 0) return;
  await tx.query(
    `INSERT INTO customer_books (tenant_id, customer_id) SELECT $1::uuid, c FROM unnest($2::uuid[]) AS c ORDER BY c
      ON CONFLICT DO NOTHING`,
    [tx.tenantId, ids],
  );
  await tx.query(
    `SELECT 1 FROM customer_books WHERE tenant_id = $1 AND customer_id = ANY ($2::uuid[])
      ORDER BY customer_id FOR UPDATE`,
    [tx.tenantId, ids],
  );
}
