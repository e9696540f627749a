import { NOTICE_TYPES } from '@kontor/contracts';
import { Injectable } from '@nestjs/common';
import { Database } from '@kontor/persistence';
import { type ListQuery, listRows, type Page, page } from '@kontor/service-kit';
import { type EventRow, loggedEvents } from './event.row.js';
import type { LoggedEventJson } from './event.schema.js';

/** An entry of the event log as the API shows it. */
export const representEvent = (row: EventRow): LoggedEventJson => ({
  id: row.id,
  type: row.type,
  version: 'v1',
  createdAt: row.createdAt.toISOString(),
  sequence: Number(row.sequence),
  objectId: row.objectId,
  customerId: row.customerId,
  data: JSON.parse(row.data) as Record<string, unknown>,
});

export const EVENT_FILTERS = { type: NOTICE_TYPES, object: 'text', customer: 'uuid' } as const;

const COLUMNS = {
  type: 'type',
  object: 'object_id',
  customer: { sql: 'customer_id', type: 'uuid' },
  createdAt: 'created_at',
} as const;

/** The event log, newest first. */
@Injectable()
export class ReadEvents {
  constructor(private readonly database: Database) {}

  list(tenantId: string, list: ListQuery): Promise<Page<LoggedEventJson>> {
    return this.database.tenant(
      tenantId,
      async (tx) => {
        const { rows, total } = await listRows(tx, list, {
          table: loggedEvents,
          columns: COLUMNS,
          defaultOrder: 'created_at DESC, id DESC',
        });
        return page(rows.map(representEvent), total, list);
      },
      { readOnly: true },
    );
  }
}
