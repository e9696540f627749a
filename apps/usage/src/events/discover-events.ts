import { Injectable } from '@nestjs/common';
import { Database, type TenantTx } from '@kontor/persistence';
import { PropertyCatalogue } from '../domain/property-catalogue.js';
import type { AskedDiscovery } from './read-discover-query.js';

const PAGE = 500;
/** Properties that take more bytes than this in the table are read one event at a time. */
const LARGE_STORED_BYTES = 8 * 1024;
const LARGE_TEXT_BYTES = 64 * 1024;
/** After so many bytes of large events, further ones are only counted as seen. */
const MAX_LARGE_BYTES = 32 * 1024 * 1024;

interface Row {
  id: string;
  eventName: string;
  occurredAt: Date;
  /** Null: large. */
  properties: Record<string, unknown> | null;
  storedBytes: number;
}

/** Names and properties of the latest events: newest first, a page at a time, so that memory stays flat. */
@Injectable()
export class DiscoverEvents {
  constructor(private readonly database: Database) {}

  execute(tenantId: string, asked: AskedDiscovery) {
    return this.database.tenant(
      tenantId,
      async (tx) => {
        const catalogue = new PropertyCatalogue();
        let last: Row | undefined;
        let largeBytes = 0;
        for (let left = asked.limit; left > 0; left -= PAGE) {
          const page = await readPage(tx, asked.eventName, Math.min(left, PAGE), last);
          for (const row of page) {
            if (row.properties === null) largeBytes += row.storedBytes;
            const properties = row.properties ?? (largeBytes > MAX_LARGE_BYTES ? {} : await readProperties(tx, row));
            catalogue.add({ ...row, properties });
          }
          last = page.at(-1);
          if (page.length < PAGE) break;
        }
        return catalogue.result();
      },
      { readOnly: true },
    );
  }
}

/** The events after `last`, newest first. */
function readPage(tx: TenantTx, eventName: string | null, limit: number, last: Row | undefined): Promise<Row[]> {
  const params: unknown[] = [tx.tenantId];
  const bind = (value: unknown): string => `$${params.push(value)}`;
  const named = eventName === null ? '' : `AND event_name = ${bind(eventName)}`;
  const after = last ? `AND (occurred_at, id) < (${bind(last.occurredAt)}, ${bind(last.id)}::uuid)` : '';
  return tx.query<Row>(
    `SELECT id, event_name AS "eventName", occurred_at AS "occurredAt", pg_column_size(properties) AS "storedBytes",
       CASE WHEN pg_column_size(properties) > ${LARGE_STORED_BYTES} THEN NULL
         WHEN octet_length(properties::text) <= ${LARGE_TEXT_BYTES} THEN properties END AS properties
     FROM usage_event WHERE tenant_id = $1 ${named} ${after} ORDER BY occurred_at DESC, id DESC LIMIT ${bind(limit)}`,
    params,
  );
}

async function readProperties(tx: TenantTx, { id, occurredAt }: Row): Promise<Record<string, unknown>> {
  const rows = await tx.query<{ properties: Record<string, unknown> }>(
    'SELECT properties FROM usage_event WHERE tenant_id = $1 AND id = $2 AND occurred_at = $3',
    [tx.tenantId, id, occurredAt],
  );
  return rows[0]?.properties ?? {};
}
