import type { EventEnvelope } from '@kontor/contracts';
import type { Sql } from '@kontor/kernel';
import type { MessagingDatabase } from '../ports.js';
import { describeError } from './classify-error.js';
import { dayOfEvent } from './event-day.js';

const PARK = `WITH known AS (
    INSERT INTO inbox (consumer, day, event_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING event_id
  )
  INSERT INTO parked (consumer, event_id, tenant_id, type, topic, aggregate_id, envelope, reason, error)
  SELECT $1, $3, $4, $5, $6, $7, $8, $9, $10 FROM known ON CONFLICT DO NOTHING`;

/** Parking and replaying of one aggregate exclude each other, so nothing slips in behind the last replayed message. */
export const lockAggregate = async (
  sql: Sql,
  consumer: string,
  event: Pick<EventEnvelope, 'tenantId' | 'topic' | 'aggregateId'>,
): Promise<void> => {
  await sql.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 7))', [
    `${consumer}/${event.tenantId}/${event.topic}/${event.aggregateId}`,
  ]);
};

async function insertParked(
  sql: Sql,
  consumer: string,
  event: EventEnvelope,
  reason: 'poison' | 'behind',
  error: string | null,
): Promise<void> {
  await sql.query(PARK, [
    consumer,
    dayOfEvent(event.eventId),
    event.eventId,
    event.tenantId,
    event.type,
    event.topic,
    event.aggregateId,
    JSON.stringify(event),
    reason,
    error,
  ]);
}

/** Puts a poison message aside with its error; from now on its aggregate waits in this consumer. */
export const parkPoison = (
  database: MessagingDatabase,
  consumer: string,
  event: EventEnvelope,
  error: unknown,
): Promise<void> =>
  database.system(async (sql) => {
    await lockAggregate(sql, consumer, event);
    await insertParked(sql, consumer, event, 'poison', describeError(error));
  });

/** Queues a message behind a parked one of its aggregate. False when the last one was replayed meanwhile: apply it. */
export const parkBehind = (database: MessagingDatabase, consumer: string, event: EventEnvelope): Promise<boolean> =>
  database.system(async (sql) => {
    await lockAggregate(sql, consumer, event);
    const ahead = await sql.query(
      'SELECT 1 FROM parked WHERE consumer = $1 AND tenant_id = $2 AND topic = $3 AND aggregate_id = $4 LIMIT 1',
      [consumer, event.tenantId, event.topic, event.aggregateId],
    );
    if (ahead.length === 0) return false;
    await insertParked(sql, consumer, event, 'behind', null);
    return true;
  });
