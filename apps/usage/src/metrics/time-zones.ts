import type { CustomerState, TenantState } from '@kontor/contracts';
import { isTimeZone } from '@kontor/kernel';
import type { Replicas, TenantTx } from '@kontor/persistence';
import { ServiceUnavailable } from '@kontor/service-kit';

const DEFAULT_ZONE = 'Europe/Berlin';

/** The tenant's zone; the house's default while nobody knows it. */
export async function zoneOfTenant(tx: TenantTx, replicas: Replicas): Promise<string> {
  try {
    const tenant = await replicas.get<TenantState>(tx, 'tenant', tx.tenantId);
    return zone(tenant?.timeZone);
  } catch (error) {
    if (error instanceof ServiceUnavailable) return DEFAULT_ZONE;
    throw error;
  }
}

/** The same as far as it is known here, without asking anybody. */
export async function zoneOfTenantRow(tx: TenantTx): Promise<string> {
  const [row] = await tx.query<{ zone: string | null }>(
    `SELECT data->>'timeZone' AS zone FROM replica WHERE tenant_id = $1 AND kind = 'tenant' AND id = $1::text`,
    [tx.tenantId],
  );
  return zone(row?.zone);
}

/** Zones of customers by id: their calendar days and months. */
export async function zonesOfCustomers(tx: TenantTx, customerIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await tx.query<{ id: string; zone: string | null }>(
    `SELECT id, data->>'timeZone' AS zone FROM replica WHERE tenant_id = $1 AND kind = 'customer' AND id = ANY($2::text[])`,
    [tx.tenantId, [...new Set(customerIds)]],
  );
  const found = new Map(rows.map((row) => [row.id, zone(row.zone as CustomerState['timeZone'] | null)]));
  return new Map(customerIds.map((id) => [id, found.get(id) ?? DEFAULT_ZONE]));
}

const zone = (name: string | null | undefined): string => (isTimeZone(name) ? name : DEFAULT_ZONE);
