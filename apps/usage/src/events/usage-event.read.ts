import { uuidToUlid } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import { type CursorSeal, encodeCursor, type EventSort, type ListCursor, type SortDirection } from './list-cursor.js';
import type { UsageEventRow } from '../db/usage-event.row.js';

type StoredEvent = Pick<UsageEventRow, 'id' | 'transactionId' | 'eventName' | 'customerId' | 'occurredAt' | 'properties' | 'createdAt'>;

const COLUMNS =
  'id, transaction_id AS "transactionId", event_name AS "eventName", customer_id AS "customerId", occurred_at AS "occurredAt", properties, created_at AS "createdAt"';

export interface UsageEventQuery {
  /** Resolved; null: all customers. */
  readonly customerId: string | null;
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

export const representUsageEvent = (event: StoredEvent) => ({
  id: uuidToUlid(event.id),
  transactionId: event.transactionId,
  eventName: event.eventName,
  timestamp: event.occurredAt.toISOString(),
  customerId: event.customerId,
  properties: event.properties,
  createdAt: event.createdAt.toISOString(),
});

export async function findUsageEvent(tx: TenantTx, id: string): Promise<StoredEvent | undefined> {
  return (await tx.query<StoredEvent>(`SELECT ${COLUMNS} FROM usage_event WHERE tenant_id = $1 AND id = $2`, [tx.tenantId, id]))[0];
}

/** One page in the asked order; one event more than asked is read, to know whether there is a next page. */
export async function listUsageEvents(tx: TenantTx, query: UsageEventQuery, seal: CursorSeal) {
  const params: unknown[] = [tx.tenantId];
  const bind = (value: unknown): string => `$${params.push(value)}`;
  const column = query.sort === 'timestamp' ? 'occurred_at' : 'created_at';
  const conditions = ['tenant_id = $1'];
  if (query.customerId) conditions.push(`customer_id = ${bind(query.customerId)}`);
  if (query.eventName !== null) conditions.push(`event_name = ${bind(query.eventName)}`);
  if (query.from) conditions.push(`occurred_at >= ${bind(query.from)}`);
  if (query.to) conditions.push(`occurred_at < ${bind(query.to)}`);
  if (query.cursor)
    conditions.push(`(${column}, id) ${query.direction === 'ASC' ? '>' : '<'} (${bind(query.cursor.at)}, ${bind(query.cursor.id)}::uuid)`);
  const rows = await tx.query<StoredEvent>(
    `SELECT ${COLUMNS} FROM usage_event WHERE ${conditions.join(' AND ')}
     ORDER BY ${column} ${query.direction}, id ${query.direction} LIMIT ${bind(query.limit + 1)}`,
    params,
  );
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  const more = rows.length > page.length && last !== undefined;
  const cursor = more
    ? encodeCursor({ ...query, at: query.sort === 'timestamp' ? last.occurredAt : last.createdAt, id: last.id }, seal)
    : null;
  return { data: page.map(representUsageEvent), meta: { limit: query.limit }, pagination: { cursor } };
}
