import type { TenantTx } from '@kontor/persistence';

/** A reading as its item shows it. */
export interface MeasurementValue {
  readonly id: string;
  readonly itemId: string;
  readonly measurementId: string;
  readonly quantity: string;
  readonly measuredAt: Date;
}

const SHOWN = 10;

/** The latest readings of items, newest first, by item. */
export async function latestValues(tx: TenantTx, itemIds: readonly string[]): Promise<Map<string, MeasurementValue[]>> {
  const rows = await tx.query<MeasurementValue>(
    `select s.id, a.item_id as "itemId", s.measurement_id as "measurementId", s.quantity, s.measured_at as "measuredAt"
     from unnest($2::uuid[]) as a (item_id) cross join lateral (
       select * from subscription_measurement m where m.tenant_id = $1 and m.item_id = a.item_id order by m.measured_at desc, m.id desc limit ${SHOWN}) s
     order by s.measured_at desc, s.id desc`,
    [tx.tenantId, [...new Set(itemIds)]],
  );
  const found = new Map<string, MeasurementValue[]>();
  for (const row of rows) found.set(row.itemId, [...(found.get(row.itemId) ?? []), row]);
  return found;
}
