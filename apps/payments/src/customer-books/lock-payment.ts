import type { TenantTx } from '@kontor/persistence';
import { lockCustomers } from './lock-customers.js';

/** Locks customers until none that `find` names is missing: a merge, or its undoing, may have given something to another one. */
export async function lockFound(tx: TenantTx, find: () => Promise<readonly string[]>): Promise<string[]> {
  const held = new Set<string>();
  for (;;) {
    const missing = (await find()).filter((id) => !held.has(id));
    if (missing.length === 0) return [...held];
    await lockCustomers(tx, missing);
    for (const id of missing) held.add(id);
  }
}

/**
 * Locks all whom a payment, or what was paid out, concerns: who paid, and whose the documents are by now, which is somebody else
 * where a merge was undone since. Returns them.
 */
export const lockPayment = (tx: TenantTx, transactionId: string): Promise<string[]> =>
  lockFound(tx, async () => {
    const rows = await tx.query<{ id: string }>(
      `SELECT customer_id AS id FROM payment_transaction WHERE tenant_id = $1 AND id = $2
       UNION SELECT i.customer_id FROM payment_allocation a JOIN payment_intent i ON i.tenant_id = $1 AND i.id = a.intent_id
       WHERE a.tenant_id = $1 AND a.transaction_id = $2
       UNION SELECT d.customer_id FROM payment_allocation a
       JOIN payment_intent i ON i.tenant_id = $1 AND i.id = a.intent_id
       JOIN payment_intent d ON d.tenant_id = $1 AND d.referenced_invoice_id = i.invoice_id
       WHERE a.tenant_id = $1 AND a.transaction_id = $2`,
      [tx.tenantId, transactionId],
    );
    return rows.map(({ id }) => id);
  });
