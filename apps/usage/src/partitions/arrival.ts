import { frozenClock, type TenantTx } from '@kontor/persistence';

/** No event may lie more than a day ahead; an hour more for clocks of machines that differ. */
const MAX_AHEAD_MS = 25 * 3_600_000;
/** Further off the machine's time, a transaction's present is another clock's. */
const SAME_CLOCK_MS = 60_000;

/** The smallest id of an event that arrives at an instant: ids are ULIDs of the real time. */
export function idFloor(at: Date): string {
  const hex = Math.max(0, at.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-0000-0000-000000000000`;
}

/** When the event with this id arrived. */
export const arrivalOf = (id: string): Date => new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));

/** The earliest arrival of an event that occurred at an instant. */
export const earliestArrival = (occurredAt: Date): Date => new Date(occurredAt.getTime() - MAX_AHEAD_MS);

/**
 * Whether the tenant lives in the machine's time, so that an event cannot have arrived long before it occurred. A
 * sandbox clock that was ever advanced allows times far ahead of arrival.
 */
export async function livesInRealTime(tx: TenantTx): Promise<boolean> {
  if (Math.abs(tx.now.getTime() - Date.now()) > SAME_CLOCK_MS) return false;
  return (await frozenClock(tx, tx.tenantId)) === null;
}
