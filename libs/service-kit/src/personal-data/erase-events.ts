import { type ClockProgress, SERVICES } from '@kontor/contracts';
import {
  blankEvents,
  countParked,
  deleteLargeNotices,
  deleteParked,
  type PublishedLog,
  publishedLog,
} from '@kontor/messaging';
import type { Database, TenantTx } from '@kontor/persistence';
import type { InternalClient } from '../internal/internal-client.js';
import { countRemoved, type Whose } from './erase-rows.js';

type Count = (tx: TenantTx, what: string, count: number) => Promise<void>;

/**
 * Takes the content of published events about a customer out of this service's log, once every service has dealt with all of the
 * tenant's. Returns what it waits for, in words.
 */
export async function eraseEvents(database: Database, client: InternalClient, whose: Whose): Promise<string[]> {
  const { tenantId, customerId } = whose;
  const count: Count = (tx, what, n) => countRemoved(tx, customerId, what, n);
  const late = await blankLog(database, client, { tenantId, named: customerId }, count);
  if (late.length > 0) return late;
  const parked = await database.system((sql) => countParked(sql, tenantId, customerId));
  return parked === 0 ? [] : [`${parked} messages that were put aside`];
}

/** {@link eraseEvents} for all events of a tenant; `count` adds to a report. */
export async function eraseAllEvents(
  database: Database,
  client: InternalClient,
  tenantId: string,
  count: Count,
): Promise<string[]> {
  // What was put aside will not be dealt with any more.
  await database.tenant(tenantId, async (tx) => {
    const parked = await deleteParked(tx, tenantId);
    if (parked > 0) await count(tx, 'parked', parked);
  });
  return blankLog(database, client, { tenantId, named: null }, count);
}

async function blankLog(
  database: Database,
  client: InternalClient,
  { tenantId, named }: { tenantId: string; named: string | null },
  count: Count,
): Promise<string[]> {
  const log = await database.system((sql) => publishedLog(sql, tenantId));
  const late = await whoIsLate(client, database.serviceName, tenantId, log);
  if (late.length > 0) return late;
  for (let after: bigint | null = 0n; after !== null;) {
    const from: bigint = after;
    after = await database.tenant(tenantId, async (tx) => {
      const { blanked, next } = await blankEvents(tx, { tenantId, named, after: from, lastId: log.lastId });
      if (blanked > 0) await count(tx, 'events', blanked);
      return next;
    });
  }
  await database.tenant(tenantId, async (tx) => {
    const deleted = await deleteLargeNotices(tx, tenantId, named);
    if (deleted > 0) await count(tx, 'large_notice', deleted);
  });
  return [];
}

/** Services that have not dealt with everything that this one had published. */
async function whoIsLate(
  client: InternalClient,
  self: string,
  tenantId: string,
  { published }: PublishedLog,
): Promise<string[]> {
  const late = await Promise.all(
    SERVICES.map(async (service) => {
      const path = `/internal/clock/${tenantId}`;
      const { applied } = await client.call<ClockProgress>(service, 'GET', path, undefined, { tenantId });
      const isBehind = Object.values(applied).some((types) =>
        Object.entries(types).some(([type, n]) => type.startsWith(`${self}.`) && n < (published[type] ?? 0)),
      );
      return isBehind ? [`${service} has not dealt with all events`] : [];
    }),
  );
  return late.flat();
}
