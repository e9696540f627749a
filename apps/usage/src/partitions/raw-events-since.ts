import type { TenantTx } from '@kontor/persistence';
import { usageTenants } from '../db/usage-tenant.row.js';

/** Since when no raw events of the tenant were removed; null: none ever were. */
export async function rawEventsSince(tx: TenantTx): Promise<Date | null> {
  return (await usageTenants.findOne(tx, {}))?.rawFrom ?? null;
}
