import type { Replicas, TenantTx } from '@kontor/persistence';
import type { TenantRow } from '../db/tenant.row.js';

export interface SettingsCopy {
  readonly seller?: { readonly company?: string | null };
}

/** What has been copied is enough: no page waits for another service. */
export const settingsCopies = (tx: TenantTx, replicas: Replicas): Promise<SettingsCopy[]> =>
  replicas.all<SettingsCopy>(tx, 'settings');

/** Under which name customers know a tenant: the company on its documents, else the organisation's own name. */
export const sellerNameIn = ([settings]: readonly SettingsCopy[], tenant: Pick<TenantRow, 'name'>): string =>
  settings?.seller?.company?.trim() || tenant.name;

/** {@link sellerNameIn}, with the settings read. */
export const sellerName = async (tx: TenantTx, replicas: Replicas, tenant: Pick<TenantRow, 'name'>): Promise<string> =>
  sellerNameIn(await settingsCopies(tx, replicas), tenant);
