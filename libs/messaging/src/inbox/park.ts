import type { EventEnvelope } from '@kontor/contracts';
import type { Sql } from '@kontor/kernel';
import type { MessagingDatabase } from '../ports.js';
import { describeError } from './classify-error.js';
import { dayOfEvent } from './event-day.js';

const PARK = `with known as (
    insert into inbox (consumer, day, event_id) values ($1, $2, $3) on conflict do nothing returning event_id
  )
  insert into parked (consumer, event_id, tenant_id, type, topic, aggregate_id, envelope, reason, error)
  select $1, $3, $4, $5, $6, $7, $8, $9, $10 from known on conflict do nothing`;

/** Parking and replaying of one aggregate exclude each other, so nothing slips in behind the last replayed message. */
export const lockAggregate = async (
  sql: Sql,
  consumer: string,
  event: Pick<EventEnvelope, 'tenantId' | 'topic' | 'aggregateId'>,
): Promise<void> => {
  await sql.query('select pg_advisory_xact_lock(hashtextextended($1, 7))', [
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
    consumer, dayOfEvent(event.eventId), event.eventId, event.tenantId, event.type, event.topic, event.aggregateId, JSON.stringify(event), reason, error,
  ]); // prettier-ignore
}

/** Puts a poison message aside with its error; from now on its aggregate waits in this consumer. */
export const parkPoison = (database: MessagingDatabase, consumer: string, event: EventEnvelope, error: unknown): Promise<void> =>
  database.system(async (sql) => {
    await lockAggregate(sql, consumer, event);
    await insertParked(sql, consumer, event, 'poison', describeError(error));
  });

/** Queues a message behind a parked one of its aggregate. False when the last one was replayed meanwhile: apply it. */
export const parkBehind = (database: MessagingDatabase, consumer: string, event: EventEnvelope): Promise<boolean> =>
  database.system(async (sql) => {
    await lockAggregate(sql, consumer, event);
    const ahead = await sql.query('select 1 from parked where consumer = $1 and tenant_id = $2 and topic = $3 and aggregate_id = $4 limit 1', [
      consumer, event.tenantId, event.topic, event.aggregateId,
    ]); // prettier-ignore
    if (ahead.length === 0) return false;
    await insertParked(sql, consumer, event, 'behind', null);
    return true;
  });
