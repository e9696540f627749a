import type { Sql } from '@kontor/kernel';
import type { EventBatch } from './event-batch.js';

const uuidOf = (latin1: string): string => {
  const hex = Buffer.from(latin1, 'latin1').toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
};

/**
 * Stores the rows of a batch of one tenant whose transactionIds are new, under row-level security; returns their ids.
 * One statement, ordered by the unique key: two with the same events wait for each other instead of deadlocking.
 */
export async function insertEvents(sql: Sql, tenantId: string, batch: EventBatch): Promise<Set<string>> {
  if (batch.rows.length === 0) return new Set();
  const order = Array.from(batch.byDigest());
  const rows = order.map((position) => batch.rows[position]!);
  const inserted = await sql.query<{ id: string }>(
    `WITH new AS (
       SELECT *
       FROM unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::timestamptz[], $6::timestamptz[], $7::text[], $8::text[],
           $9::jsonb[]) WITH ORDINALITY
         AS e (digest, id, customer_id, occurred_at, created_at, transaction_id, event_name, properties, n)
     ), inserted AS (
       INSERT INTO usage_event_key (digest, tenant_id)
       SELECT digest, $1 FROM new ORDER BY n
       ON CONFLICT (digest) DO NOTHING
       RETURNING digest
     )
     INSERT INTO usage_event
       (tenant_id, id, customer_id, occurred_at, created_at, transaction_id, event_name, properties)
     SELECT $1, id, customer_id, occurred_at, created_at, transaction_id, event_name, properties
     FROM new JOIN inserted USING (digest)
     RETURNING id`,
    [
      tenantId,
      rows.map((row) => uuidOf(row.digest)),
      order.map((position) => batch.idOf(position)),
      rows.map((row) => row.customer.id),
      rows.map((row) => new Date(row.event.occurredAtMs)),
      rows.map((row) => new Date(row.createdAtMs)),
      rows.map((row) => row.event.transactionId),
      rows.map((row) => row.event.eventName),
      rows.map((row) => JSON.stringify(row.event.properties)),
    ],
  );
  return new Set(inserted.map((row) => row.id));
}
