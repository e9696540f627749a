import type { Tx } from '@kontor/kernel';

/** A page of what a merge moved in this service, by kind and id, and how many there are. */
export async function mergedObjects(
  tx: Tx,
  mergeId: string,
  limit: number,
  offset: number,
): Promise<{ objects: { object: string; id: string }[]; total: number }> {
  const objects = await tx.query<{ object: string; id: string }>(
    `SELECT object, object_id AS id FROM customer_merge_object WHERE tenant_id = $1 AND merge_id = $2
     ORDER BY object, object_id LIMIT $3 OFFSET $4`,
    [tx.tenantId, mergeId, limit, offset],
  );
  const [counted] = await tx.query<{ total: number }>(
    'SELECT count(*)::int AS total FROM customer_merge_object WHERE tenant_id = $1 AND merge_id = $2',
    [tx.tenantId, mergeId],
  );
  return { objects, total: counted?.total ?? 0 };
}
