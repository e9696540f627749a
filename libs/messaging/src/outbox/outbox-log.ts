import type { Topic } from '@kontor/contracts';
import type { MessagingDatabase } from '../ports.js';
import type { OutboxLog, OutboxRecord } from '../bus/bus-port.js';

const COLUMNS = 'id, event_id, tenant_id, aggregate_id, aggregate_seq, topic, type, effective_at, payload, headers';

interface Row {
  id: bigint | string;
  event_id: string;
  tenant_id: string;
  aggregate_id: string;
  aggregate_seq: bigint | string;
  topic: Topic;
  type: string;
  effective_at: Date;
  payload: string;
  headers: string;
  released?: boolean;
}

const toRecord = (row: Row): OutboxRecord => ({
  id: BigInt(row.id),
  eventId: row.event_id,
  tenantId: row.tenant_id,
  aggregateId: row.aggregate_id,
  aggregateSeq: Number(row.aggregate_seq),
  topic: row.topic,
  type: row.type,
  effectiveAt: row.effective_at,
  payload: row.payload,
  headers: row.headers,
  ...(row.released && { released: true }),
});

type Query = (sql: string, params: unknown[]) => Promise<unknown[]>;

/** The next rows of the log in `(after, upTo]`; `sinceDay` lets the server skip old partitions. */
export async function readOutbox(
  query: Query,
  after: bigint,
  upTo: bigint,
  limit: number,
  sinceDay: string | null,
): Promise<OutboxRecord[]> {
  const rows = await query(
    `SELECT ${COLUMNS} FROM outbox WHERE id > $1 AND id <= $2 AND day >= coalesce($4::date, '-infinity') ORDER BY id LIMIT $3`,
    [after.toString(), upTo.toString(), limit, sinceDay],
  );
  return (rows as Row[]).map(toRecord);
}

/**
 * The next rows of some topics in `(after, upTo]`, for publishing them again. Left out is what is not published now (it waits in
 * quarantine), and what has no content any more: every receiver had dealt with it.
 */
export async function readAgain(
  query: Query,
  topics: readonly Topic[],
  after: bigint,
  upTo: bigint,
  limit: number,
): Promise<OutboxRecord[]> {
  const rows = await query(
    `SELECT ${COLUMNS}, id IN (SELECT outbox_id FROM outbox_released) AS released FROM outbox WHERE topic = ANY($1) AND id > $2 AND id <= $3
       AND NOT (payload = '{}' AND headers = '{}') AND id NOT IN (SELECT outbox_id FROM outbox_quarantine)
     ORDER BY id LIMIT $4`,
    [topics, after.toString(), upTo.toString(), limit],
  );
  return (rows as Row[]).map(toRecord);
}

/** The log of one service, read through its own pool; the embedded bus delivers from it. */
export function outboxLog(database: MessagingDatabase): OutboxLog {
  return {
    producer: database.serviceName,
    read: (topic, after, upTo, limit) =>
      database.system(async (sql) => {
        const rows = await sql.query(
          `SELECT ${COLUMNS} FROM outbox WHERE topic = $1 AND id > $2 AND id <= $3 ORDER BY id LIMIT $4`,
          [topic, after.toString(), upTo.toString(), limit],
        );
        return (rows as unknown as Row[]).map(toRecord);
      }),
  };
}
