import type { TenantTx } from '@kontor/persistence';
import { customerMerged } from '@kontor/service-kit';
import { lockBooks } from './lock-customers.js';

/**
 * Locks customers until none that `find` names is missing: a merge, or its undoing, may have given something to another one, also
 * while its customer was waited for. Returns those whose books are open.
 * @throws DomainError `customer_merged` where what is named stays with one whose books were closed
 */
export async function lockFound(tx: TenantTx, find: () => Promise<readonly string[]>): Promise<string[]> {
  const held = new Map<string, string | null>();
  for (;;) {
    const found = await find();
    const missing = found.filter((id) => !held.has(id));
    if (missing.length === 0) {
      for (const mergedInto of found.map((id) => held.get(id))) if (mergedInto) throw customerMerged(mergedInto);
      return [...held].flatMap(([id, mergedInto]) => (mergedInto === null ? [id] : []));
    }
    for (const [id, mergedInto] of await lockBooks(tx, missing)) held.set(id, mergedInto);
  }
}

/** Locks whose documents these are by now; what reports of them may name a former customer. Returns them. */
export const lockOwners = (tx: TenantTx, invoiceIds: readonly string[]): Promise<string[]> =>
  lockFound(tx, async () => {
    const rows = await tx.query<{ id: string }>(
      'SELECT DISTINCT customer_id AS id FROM payment_intent WHERE tenant_id = $1 AND invoice_id = ANY ($2::uuid[])',
      [tx.tenantId, invoiceIds],
    );
    return rows.map(({ id }) => id);
  });

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
