import { NOTICE_TYPES } from '@kontor/contracts';
import { DomainError } from '@kontor/kernel';
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

const tooLong = (rows: number): DomainError =>
  new DomainError('query_too_large', {
    detail: `These ${rows} events have more than 20 MB together: ask for fewer of them at once (limit).`,
  });

/** The event log, newest first. @throws DomainError 422 `query_too_large` when the events of a page are too long together */
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
          long: { bytes: 'octet_length(t.data)', refusal: tooLong },
        });
        return page(rows.map(representEvent), total, list);
      },
      { readOnly: true },
    );
  }
}
