import type { TenantTx } from '@kontor/persistence';
import { earliestArrival } from '../partitions/arrival.js';

/** Whether all events of a period are there. Asked after they were read: whoever misses what was removed sees that it was. */
export async function hasItsEvents(tx: TenantTx): Promise<(period: { readonly fromAt: Date }) => boolean> {
  const [tenant] = await tx.query<{ rawFrom: Date | null }>(
    'SELECT raw_from AS "rawFrom" FROM usage_tenant WHERE tenant_id = $1',
    [tx.tenantId],
  );
  const rawFrom = tenant?.rawFrom ?? null;
  return ({ fromAt }) => rawFrom === null || rawFrom <= earliestArrival(fromAt);
}
