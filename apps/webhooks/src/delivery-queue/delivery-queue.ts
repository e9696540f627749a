import type { Tx } from '@kontor/kernel';

/**
 * Locks the objects under which their queues change: whoever adds to one, ends its head or starts a
 * delivery again holds them, so exactly one head is ever queued.
 */
export async function lockObjects(tx: Tx, objectIds: readonly string[]): Promise<void> {
  await tx.query(
    'SELECT 1 FROM webhook_object WHERE tenant_id = $1 AND object_id = ANY($2::text[]) ORDER BY object_id FOR UPDATE',
    [tx.tenantId, objectIds],
  );
}

/** Makes the next delivery of each object's queue at an endpoint its head, where it has none. */
export async function refreshHeads(tx: Tx, endpointId: string, objectIds: readonly string[]): Promise<void> {
  const ids = [...new Set(objectIds)];
  await lockObjects(tx, ids);
  await tx.query(
    `UPDATE delivery d SET head = true
     FROM (
       SELECT DISTINCT ON (object_id) id
       FROM delivery
       WHERE tenant_id = $1 AND endpoint_id = $2 AND status = 'pending' AND object_id = ANY($3::text[])
       ORDER BY object_id, sequence
     ) first
     WHERE d.tenant_id = $1 AND d.id = first.id AND NOT d.head
       AND NOT EXISTS (
         SELECT 1
         FROM delivery h
         WHERE h.tenant_id = $1 AND h.endpoint_id = $2 AND h.status = 'pending' AND h.object_id = d.object_id
           AND h.head)`,
    [tx.tenantId, endpointId, ids],
  );
}

/** Ends everything that waits for an endpoint: it is disabled, or goes away. It can be delivered again by hand. */
export async function failPending(tx: Tx, endpointId: string): Promise<void> {
  await tx.query(
    `UPDATE delivery SET status = 'failed', head = false, next_attempt_at = NULL, lease = NULL, lease_until = NULL
     WHERE tenant_id = $1 AND endpoint_id = $2 AND status = 'pending'`,
    [tx.tenantId, endpointId],
  );
}
