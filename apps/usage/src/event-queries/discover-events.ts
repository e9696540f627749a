import { Injectable } from '@nestjs/common';
import { Database, type TenantTx } from '@kontor/persistence';
import { PropertyCatalogue } from '../domain/event-queries/property-catalogue.js';
import type { DiscoveryQuery } from './read-discover-query.js';
import type { DiscoveredEventsJson } from './usage-event.schema.js';
import { boundedRead } from '../query-support/bounded-read.js';

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

  execute(tenantId: string, query: DiscoveryQuery): Promise<DiscoveredEventsJson> {
    return boundedRead(this.database, tenantId, async (tx) => {
      const catalogue = new PropertyCatalogue();
      let largeBytes = 0;
      await openLatest(tx, query);
      for (let page = await nextPage(tx); page.length > 0; page = await nextPage(tx)) {
        for (const row of page) {
          if (row.properties === null) largeBytes += row.storedBytes;
          const properties = row.properties ?? (largeBytes > MAX_LARGE_BYTES ? {} : await readProperties(tx, row));
          catalogue.add({ ...row, properties });
        }
      }
      return catalogue.result();
    });
  }
}

/**
 * A cursor over the latest events: one pass over the index, also where very many have the same time. It ends with the
 * transaction.
 */
async function openLatest(tx: TenantTx, { eventName, limit }: DiscoveryQuery): Promise<void> {
  const params: unknown[] = [tx.tenantId, limit];
  if (eventName !== null) params.push(eventName);
  await tx.query(
    `DECLARE latest_events NO SCROLL CURSOR FOR
     SELECT id, event_name AS "eventName", occurred_at AS "occurredAt", pg_column_size(properties) AS "storedBytes",
       CASE WHEN pg_column_size(properties) > ${LARGE_STORED_BYTES} THEN NULL
         WHEN octet_length(properties::text) <= ${LARGE_TEXT_BYTES} THEN properties END AS properties
     FROM usage_event
     WHERE tenant_id = $1 ${eventName === null ? '' : 'AND event_name = $3'}
     ORDER BY occurred_at DESC
     LIMIT $2`,
    params,
  );
}

const nextPage = (tx: TenantTx): Promise<Row[]> => tx.query<Row>(`FETCH ${PAGE} FROM latest_events`);

async function readProperties(tx: TenantTx, { id, occurredAt }: Row): Promise<Record<string, unknown>> {
  const rows = await tx.query<{ properties: Record<string, unknown> }>(
    'SELECT properties FROM usage_event WHERE tenant_id = $1 AND id = $2 AND occurred_at = $3',
    [tx.tenantId, id, occurredAt],
  );
  return rows[0]?.properties ?? {};
}
