import { uuidToUlid } from '@kontor/kernel';
import { customerTreeSql, type TenantTx } from '@kontor/persistence';
import { arrivalOf, earliestArrival, idFloor, livesInRealTime } from '../partitions/arrival.js';
import { type CursorSeal, encodeCursor, type EventSort, type ListCursor, type SortDirection } from './list-cursor.js';
import { type UsageEventRow, usageEvents } from '../db/usage-event.row.js';
import type { UsageEventJson, UsageEventListJson } from './usage-event.schema.js';

export interface UsageEventQuery {
  /** Resolved; null: all customers. */
  readonly customerId: string | null;
  /** Events of all below that customer, too. */
  readonly isTree: boolean;
  readonly eventName: string | null;
  /** Included. */
  readonly from: Date | null;
  /** Excluded. */
  readonly to: Date | null;
  readonly sort: EventSort;
  readonly direction: SortDirection;
  readonly cursor: ListCursor | null;
  readonly limit: number;
}

export const representUsageEvent = (event: UsageEventRow): UsageEventJson => ({
  id: uuidToUlid(event.id),
  transactionId: event.transactionId,
  eventName: event.eventName,
  timestamp: event.occurredAt.toISOString(),
  customerId: event.customerId,
  properties: event.properties,
  createdAt: event.createdAt.toISOString(),
  ...(event.voidedAt ? { voidedAt: event.voidedAt.toISOString() } : {}),
});

export const findUsageEvent = (tx: TenantTx, id: string): Promise<UsageEventRow | null> => usageEvents.get(tx, id);

/** One page in the asked order; one event more than asked is read, to know whether there is a next page. */
export async function listUsageEvents(
  tx: TenantTx,
  query: UsageEventQuery,
  seal: CursorSeal,
): Promise<UsageEventListJson> {
  const rows = await readRows(tx, query);
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  const more = rows.length > page.length && last !== undefined;
  const cursor = more
    ? encodeCursor({ ...query, at: query.sort === 'timestamp' ? last.occurredAt : last.createdAt, id: last.id }, seal)
    : null;
  return { data: page.map(representUsageEvent), meta: { limit: query.limit }, pagination: { cursor } };
}

/**
 * Latest events first: the days in which they most likely arrived are asked before all others, so that few partitions
 * are opened.
 */
async function readRows(tx: TenantTx, query: UsageEventQuery): Promise<UsageEventRow[]> {
  const { windows, all } = await arrivalsToTry(tx, query);
  for (const since of windows) {
    const rows = await readArrived(tx, query, since);
    if (rows.length > query.limit && isWhole(rows, query, since)) return rows;
  }
  return readArrived(tx, query, all);
}

const DAY_MS = 86_400_000;

interface Arrivals {
  /** Lower bounds of arrival within which a full page may be found, latest first. */
  readonly windows: readonly Date[];
  /** The bound that misses nothing; null: none. */
  readonly all: Date | null;
}

async function arrivalsToTry(tx: TenantTx, query: UsageEventQuery): Promise<Arrivals> {
  if (!(await livesInRealTime(tx))) return { windows: [], all: null };
  const { sort, direction, cursor, from, to } = query;
  const byTime = sort === 'timestamp';
  const earliest = Math.max(
    Number(from ?? -Infinity),
    byTime && direction === 'ASC' && cursor ? cursor.at.getTime() : -Infinity,
  );
  const all = Number.isFinite(earliest) ? earliestArrival(new Date(earliest)) : null;
  if (direction === 'ASC') return { windows: [], all };
  const passed = cursor && (byTime ? cursor.at : arrivalOf(cursor.id));
  const latest = Math.min(Date.now(), Number(to ?? Infinity), Number(passed ?? Infinity));
  const windows = [2, 32]
    .map((days) => new Date(latest - days * DAY_MS))
    .filter((at) => at.getTime() > Number(all ?? -Infinity));
  return { windows, all };
}

/** Whether nothing that arrived before `since` can belong between these events. */
const isWhole = (rows: readonly UsageEventRow[], { sort }: UsageEventQuery, since: Date): boolean =>
  sort === 'createdAt' || earliestArrival(rows.at(-1)!.occurredAt) >= since;

function readArrived(tx: TenantTx, query: UsageEventQuery, since: Date | null): Promise<UsageEventRow[]> {
  const params: unknown[] = [tx.tenantId];
  const bind = (value: unknown): string => `$${params.push(value)}`;
  const { cursor, direction } = query;
  const byArrival = query.sort === 'createdAt';
  const beyond = direction === 'ASC' ? '>' : '<';
  const conditions = ['tenant_id = $1'];
  if (since) conditions.push(`id >= ${bind(idFloor(since))}::uuid`);
  if (query.customerId)
    conditions.push(
      query.isTree
        ? `customer_id = ANY(${customerTreeSql('$1', bind([query.customerId]))})`
        : `customer_id = ${bind(query.customerId)}`,
    );
  if (query.eventName !== null) conditions.push(`event_name = ${bind(query.eventName)}`);
  if (query.from) conditions.push(`occurred_at >= ${bind(query.from)}`);
  if (query.to) conditions.push(`occurred_at < ${bind(query.to)}`);
  if (cursor && byArrival) conditions.push(`id ${beyond} ${bind(cursor.id)}::uuid`);
  // The first of the two conditions is what an index is used for.
  if (cursor && !byArrival)
    conditions.push(
      `occurred_at ${beyond}= ${bind(cursor.at)}
       AND (occurred_at, id) ${beyond} (${bind(cursor.at)}, ${bind(cursor.id)}::uuid)`,
    );
  return tx.query<UsageEventRow>(
    `SELECT ${usageEvents.select}
     FROM usage_event
     WHERE ${conditions.join(' AND ')}
     ORDER BY ${byArrival ? '' : `occurred_at ${direction}, `}id ${direction}
     LIMIT ${bind(query.limit + 1)}`,
    params,
  );
}
