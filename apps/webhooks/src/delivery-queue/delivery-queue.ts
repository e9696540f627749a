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

/** Queues that end in one transaction: whoever records events waits for the receivers' rows, which it holds. */
const QUEUES_AT_ONCE = 1_000;

/** What nobody attempts: an attempt that is in flight is settled first. */
const IS_FREE = '(d.lease IS NULL OR d.lease_until < now() OR NOT process_runs(d.lease))';

/**
 * Ends what waits for an endpoint that is disabled, by whoever holds its row. All at once; or a portion of the queues, the last due first, so that
 * what looks for due deliveries finds the endpoint until the last one. Returns how many queues it was. It can be delivered again by hand.
 */
async function endWaiting(tx: Tx, endpointId: string, queues: number | null): Promise<number> {
  const [ended] = await tx.query<{ n: number }>(
    `WITH head AS MATERIALIZED (
       SELECT id, object_id FROM delivery d
       WHERE tenant_id = $1 AND endpoint_id = $2 AND status = 'pending' AND head AND ${IS_FREE}
       ORDER BY next_attempt_at DESC, id DESC
       LIMIT $3
       FOR UPDATE SKIP LOCKED
     ), ended AS (
       UPDATE delivery d SET status = 'failed', head = false, next_attempt_at = NULL, lease = NULL, lease_until = NULL
       WHERE tenant_id = $1 AND endpoint_id = $2 AND status = 'pending' AND ${IS_FREE}
         AND object_id = ANY (ARRAY(SELECT object_id FROM head))
     )
     SELECT count(*)::int AS n FROM head`,
    [tx.tenantId, endpointId, queues],
  );
  return ended!.n;
}

/** Ends a portion of what waits for a disabled endpoint, whose row is locked against enabling. Returns whether there may be more. */
export const endPortion = async (tx: Tx, endpointId: string): Promise<boolean> =>
  (await endWaiting(tx, endpointId, QUEUES_AT_ONCE)) > 0;

/** An endpoint is disabled: a first portion ends at once, and what is left falls due, so that its lane ends it. */
export async function endFirst(tx: Tx, endpointId: string): Promise<void> {
  if ((await endWaiting(tx, endpointId, QUEUES_AT_ONCE)) < QUEUES_AT_ONCE) return;
  await tx.query(
    `UPDATE delivery SET next_attempt_at = least(next_attempt_at, now())
     WHERE tenant_id = $1 AND id = (
       SELECT id FROM delivery
       WHERE tenant_id = $1 AND endpoint_id = $2 AND status = 'pending' AND head
       ORDER BY next_attempt_at, id LIMIT 1)`,
    [tx.tenantId, endpointId],
  );
}

/** An endpoint is enabled again: what waited before it was disabled has ended. */
export const endRest = async (tx: Tx, endpointId: string): Promise<void> => {
  await endWaiting(tx, endpointId, null);
};
