import type { TenantTx } from '@kontor/persistence';

/** A reading as its item shows it. */
export interface Reading {
  readonly id: string;
  readonly itemId: string;
  readonly measurementId: string;
  readonly quantity: string;
  readonly measuredAt: Date;
}

const SHOWN = 10;

/** The latest readings of items, newest first, by item. */
export async function latestReadings(tx: TenantTx, itemIds: readonly string[]): Promise<Map<string, Reading[]>> {
  const rows = await tx.query<Reading>(
    `SELECT s.id, a.item_id AS "itemId", s.measurement_id AS "measurementId", s.quantity,
       s.measured_at AS "measuredAt"
     FROM unnest($2::uuid[]) AS a (item_id)
     CROSS JOIN LATERAL (
       SELECT * FROM subscription_measurement m
       WHERE m.tenant_id = $1 AND m.item_id = a.item_id
       ORDER BY m.measured_at DESC, m.id DESC LIMIT $3) s
     ORDER BY s.measured_at DESC, s.id DESC`,
    [tx.tenantId, [...new Set(itemIds)], SHOWN],
  );
  const found = new Map<string, Reading[]>();
  for (const row of rows) found.set(row.itemId, [...(found.get(row.itemId) ?? []), row]);
  return found;
}
