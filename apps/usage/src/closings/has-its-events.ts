import type { TenantTx } from '@kontor/persistence';
import { arrivedSince } from '../domain/partitions/retention.js';

/**
 * Whether all events of a period are still there. Asked after they were read: what is going to be removed is written down before.
 */
export async function hasItsEvents(tx: TenantTx): Promise<(period: { readonly fromAt: Date }) => boolean> {
  const [tenant] = await tx.query<{ rawFrom: Date | null }>(
    'SELECT raw_from AS "rawFrom" FROM usage_tenant WHERE tenant_id = $1',
    [tx.tenantId],
  );
  const rawFrom = tenant?.rawFrom ?? null;
  return ({ fromAt }) => rawFrom === null || rawFrom <= arrivedSince(fromAt);
}
