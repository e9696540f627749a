import type { Tx } from '@kontor/kernel';
import { type CustomerMerge, type CustomerRows, MERGE_HOLDS, type MovedRows } from './customer-merges.js';

/** SQL of the ids of a kind that a merge noted; `merge` and `object` are parameters. */
export const notedIds = (merge: string, object: string): string =>
  `(SELECT object_id FROM customer_merge_object WHERE tenant_id = $1 AND merge_id = ${merge} AND object = ${object})`;

/**
 * From here on the source of a completed merge is its own again, and so are those who had been merged into it before. Nothing is
 * returned yet. Null for a merge that is not completed here, or was undone.
 */
export async function recordUndo(tx: Tx, mergeId: string): Promise<CustomerMerge | null> {
  const [merge] = await tx.query<CustomerMerge>(
    `WITH undone AS (
       UPDATE customer_merge SET status = 'undoing' WHERE tenant_id = $1 AND merge_id = $2 AND status = 'completed'
       RETURNING merge_id, source_customer_id, survivor_id
     )
     SELECT merge_id AS "mergeId", source_customer_id AS "sourceCustomerId", survivor_id AS "survivorId" FROM undone`,
    [tx.tenantId, mergeId],
  );
  if (!merge) return null;
  await tx.query(
    `WITH RECURSIVE absorbed (id) AS (
       SELECT source_customer_id FROM customer_merge
       WHERE tenant_id = $1 AND target_customer_id = $2 AND ${MERGE_HOLDS}
       UNION
       SELECT m.source_customer_id FROM absorbed a
       JOIN customer_merge m ON m.tenant_id = $1 AND m.target_customer_id = a.id AND m.${MERGE_HOLDS}
     )
     UPDATE customer_merge SET survivor_id = $2
     WHERE tenant_id = $1 AND source_customer_id IN (SELECT id FROM absorbed) AND ${MERGE_HOLDS}`,
    [tx.tenantId, merge.sourceCustomerId],
  );
  return merge;
}

/** Returns rows that a merge moved and that are still the survivor's, each kind by one statement. What came later stays. */
export async function returnCustomerRows(
  tx: Tx,
  { mergeId, sourceCustomerId, survivorId }: CustomerMerge,
  kinds: readonly CustomerRows[],
): Promise<MovedRows[]> {
  const returned: MovedRows[] = [];
  for (const { object, table, id = 'id' } of kinds) {
    if (id === null) continue;
    const rows = await tx.query(
      `UPDATE ${table} SET customer_id = $2
       WHERE tenant_id = $1 AND customer_id = $3 AND ${id}::text IN ${notedIds('$4', '$5')} RETURNING 1`,
      [tx.tenantId, sourceCustomerId, survivorId, mergeId, object],
    );
    if (rows.length > 0) returned.push({ object, count: rows.length });
  }
  return returned;
}

/** The service has returned what it keeps. */
export const completeUndo = (tx: Tx, { mergeId }: CustomerMerge): Promise<unknown> =>
  tx.query(`UPDATE customer_merge SET status = 'undone', undone_at = $3 WHERE tenant_id = $1 AND merge_id = $2`, [
    tx.tenantId,
    mergeId,
    tx.now,
  ]);

/** Whether the undo of an earlier merge still waits to return what these two have to do with: the next merge would move it on. */
export async function awaitsUndo(tx: Tx, { sourceCustomerId, survivorId }: CustomerMerge): Promise<boolean> {
  const rows = await tx.query(
    `SELECT 1 FROM customer_merge WHERE tenant_id = $1 AND status = 'undoing'
       AND (source_customer_id IN ($2, $3) OR survivor_id = $2) LIMIT 1`,
    [tx.tenantId, sourceCustomerId, survivorId],
  );
  return rows.length > 0;
}
