import type { CustomerState, TenantState } from '@kontor/contracts';
import { isTimeZone } from '@kontor/kernel';
import { ReplicaReader, type Replicas, type TenantTx } from '@kontor/persistence';
import { ServiceUnavailable } from '@kontor/service-kit';

const DEFAULT_ZONE = 'Europe/Berlin';

/** The tenant's zone; the default while it is not known. */
export async function zoneOfTenant(tx: TenantTx, replicas: Replicas): Promise<string> {
  try {
    const tenant = await replicas.get<TenantState>(tx, 'tenant', tx.tenantId);
    return zone(tenant?.timeZone);
  } catch (error) {
    if (error instanceof ServiceUnavailable) return DEFAULT_ZONE;
    throw error;
  }
}

const copies = new ReplicaReader();

/** The same as far as it is known here, without asking its owner. */
export async function knownZoneOfTenant(tx: TenantTx): Promise<string> {
  const tenants = await copies.dataOf<TenantState>(tx, 'tenant', [tx.tenantId]);
  return zone(tenants.get(tx.tenantId)?.timeZone);
}

/** Zones of customers by id: their calendar days and months. */
export async function zonesOfCustomers(tx: TenantTx, customerIds: readonly string[]): Promise<Map<string, string>> {
  const customers = await copies.dataOf<CustomerState>(tx, 'customer', customerIds);
  return new Map(customerIds.map((id) => [id, zone(customers.get(id)?.timeZone)]));
}

const zone = (name: string | null | undefined): string => (isTimeZone(name) ? name : DEFAULT_ZONE);
