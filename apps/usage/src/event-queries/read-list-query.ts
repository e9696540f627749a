import { badParameter, type QueryOf } from '@kontor/service-kit';
import { type CursorSeal, decodeCursor, type EventSort, type SortDirection } from './list-cursor.js';
import { instantOf } from '../domain/event-store/instants.js';
import type { UsageEventQuery } from './usage-event.read.js';

/** The list's query with the customer still as the client calls it. */
export type UsageEventListQuery = Omit<UsageEventQuery, 'customerId'> & {
  readonly customer: string | null;
  /** Of all below it, too. */
  readonly isTree: boolean;
};

/** The parameters, as the OpenAPI document shows them. */
export const usageEventListQuery = {
  customerId: { type: 'string', description: 'Id, external id or customer number.' },
  customerTree: { type: 'string', description: 'The same, of a customer and all below it; instead of customerId.' },
  eventName: { type: 'string' },
  from: { type: 'string', format: 'date-time', description: 'Inclusive.' },
  to: { type: 'string', format: 'date-time', description: 'Exclusive.' },
  sort: { type: 'string', enum: ['timestamp', 'createdAt'], default: 'timestamp' },
  direction: { type: 'string', enum: ['ASC', 'DESC'], default: 'DESC' },
  cursor: { type: 'string', description: 'From the page before, read in the same order.' },
  limit: { type: 'integer', minimum: 0, maximum: 100, default: 30 },
};

/** @throws DomainError 400 `invalid_request` for a parameter that cannot be read. */
export function readListQuery(values: QueryOf<typeof usageEventListQuery>, seal: CursorSeal): UsageEventListQuery {
  const sort = oneOf('sort', values.sort ?? 'timestamp', ['timestamp', 'createdAt'] satisfies EventSort[]);
  const direction = oneOf('direction', (values.direction ?? 'DESC').toUpperCase(), [
    'ASC',
    'DESC',
  ] satisfies SortDirection[]);
  const cursor = values.cursor === undefined ? null : (decodeCursor(values.cursor, sort, direction, seal) ?? null);
  if (values.cursor !== undefined && !cursor)
    throw badParameter('cursor', 'must be the cursor of a page in the same order');
  const limit = /^\d{1,3}$/.test(values.limit ?? '30') ? Number(values.limit ?? 30) : -1;
  if (limit < 0 || limit > 100) throw badParameter('limit', 'must be a whole number from 0 to 100');
  if (values.customerId !== undefined && values.customerTree !== undefined)
    throw badParameter('customerTree', 'must not come with customerId');
  return {
    customer: values.customerTree ?? values.customerId ?? null,
    isTree: values.customerTree !== undefined,
    eventName: values.eventName ?? null,
    from: instant('from', values.from),
    to: instant('to', values.to),
    sort,
    direction,
    cursor,
    limit,
  };
}

function oneOf<T extends string>(name: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((option) => option === value);
  if (!found) throw badParameter(name, `must be ${allowed.join(' or ')}`);
  return found;
}

/** A day alone is its start in UTC. The `+` of a zone that was not escaped arrives as a blank. */
function instant(name: string, value: string | undefined): Date | null {
  if (value === undefined) return null;
  const text = value.replace(/ (\d{2}:?\d{2})$/, '+$1');
  const at = instantOf(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text);
  if (!at) throw badParameter(name, 'must be an ISO 8601 date-time with a zone');
  return at;
}
