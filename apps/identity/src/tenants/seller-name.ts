import type { Replicas, TenantTx } from '@kontor/persistence';
import type { TenantRow } from '../db/tenant.row.js';

interface SettingsCopy {
  readonly seller?: { readonly company?: string | null };
}

/** Under which name customers know a tenant: the company on its documents, else the organisation's own name. */
export async function sellerName(tx: TenantTx, replicas: Replicas, tenant: Pick<TenantRow, 'name'>): Promise<string> {
  // What has been copied is enough: no page waits for another service.
  const [settings] = await replicas.all<SettingsCopy>(tx, 'settings');
  return settings?.seller?.company?.trim() || tenant.name;
}
