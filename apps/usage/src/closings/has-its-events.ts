import type { TenantTx } from '@kontor/persistence';
import { earliestArrival } from '../partitions/arrival.js';
import { rawEventsSince } from '../partitions/raw-events-since.js';

/** Whether all events of a period are there. Asked after they were read: whoever misses what was removed sees that it was. */
export async function hasItsEvents(tx: TenantTx): Promise<(period: { readonly fromAt: Date }) => boolean> {
  const rawFrom = await rawEventsSince(tx);
  return ({ fromAt }) => rawFrom === null || rawFrom <= earliestArrival(fromAt);
}
