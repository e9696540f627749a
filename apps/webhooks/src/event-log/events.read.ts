import { Injectable } from '@nestjs/common';
import { Database } from '@kontor/persistence';
import { type ListQuery, listSql, type Page, page } from '@kontor/service-kit';

interface EventRow {
  id: string;
  type: string;
  objectId: string;
  sequence: bigint;
  customerId: string | null;
  data: string;
  createdAt: Date;
}

/** An entry of the event log as the API shows it. */
export const representEvent = (row: EventRow) => ({
  id: row.id,
  type: row.type,
  version: 'v1',
  createdAt: row.createdAt.toISOString(),
  sequence: Number(row.sequence),
  objectId: row.objectId,
  customerId: row.customerId,
  data: JSON.parse(row.data) as Record<string, unknown>,
});
export type LogEntry = ReturnType<typeof representEvent>;

export const EVENT_FILTERS = { type: 'text', object: 'text', customer: 'uuid' } as const;

/** The event log, newest first. */
@Injectable()
export class ReadEvents {
  constructor(private readonly database: Database) {}

  list(tenantId: string, list: ListQuery): Promise<Page<LogEntry>> {
    const columns = { type: 'type', object: 'object_id', customer: { sql: 'customer_id', type: 'uuid' }, createdAt: 'created_at' } as const;
    const { where, params, orderBy, limit, offset } = listSql(list, { columns, usedParams: 1, defaultOrder: 'created_at DESC, id DESC' });
    return this.database.tenant(
      tenantId,
      async (tx) => {
        const rows = await tx.query<EventRow>(
          `SELECT id, type, object_id AS "objectId", sequence, customer_id AS "customerId", data, created_at AS "createdAt"
           FROM webhook_event WHERE tenant_id = $1 AND ${where} ORDER BY ${orderBy} LIMIT ${limit} OFFSET ${offset}`,
          [tx.tenantId, ...params],
        );
        const [count] = await tx.query<{ n: bigint }>(`SELECT count(*) AS n FROM webhook_event WHERE tenant_id = $1 AND ${where}`, [
          tx.tenantId,
          ...params,
        ]);
        return page(rows.map(representEvent), count!.n, list);
      },
      { readOnly: true },
    );
  }
}
