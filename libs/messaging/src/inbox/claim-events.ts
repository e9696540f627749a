import type { EventEnvelope } from '@kontor/contracts';
import { prepared, type Sql } from '@kontor/kernel';
import { dayOfEvent } from './event-day.js';

export interface Claim {
  /** Not seen before by this consumer, in the order given: to be applied in this transaction. */
  readonly fresh: readonly EventEnvelope[];
  /** Behind a parked message of their aggregate: to be queued there. */
  readonly blocked: readonly EventEnvelope[];
}

const CLAIM = prepared(`WITH incoming AS (
    SELECT * FROM unnest($3::uuid[], $4::date[], $5::text[], $6::text[]) AS e(event_id, day, topic, aggregate_id)
  ), blocked AS (
    SELECT e.event_id FROM incoming e
    WHERE EXISTS (SELECT FROM parked p WHERE p.consumer = $1 AND p.tenant_id = $2 AND p.topic = e.topic AND p.aggregate_id = e.aggregate_id)
  ), fresh AS (
    INSERT INTO inbox (consumer, day, event_id)
    SELECT $1, e.day, e.event_id FROM incoming e WHERE NOT EXISTS (SELECT FROM blocked b WHERE b.event_id = e.event_id)
    ON CONFLICT DO NOTHING RETURNING event_id
  )
  SELECT event_id::text AS id, false AS blocked FROM fresh UNION ALL SELECT event_id::text, true FROM blocked`);

/**
 * Writes the inbox rows of events and returns which of them are new: the rows commit with the effect, so an event has
 * its effect once however often it is delivered. A second deliverer waits here for the first one's outcome.
 */
export async function claimEvents(
  sql: Sql,
  consumer: string,
  tenantId: string,
  events: readonly EventEnvelope[],
): Promise<Claim> {
  const rows = await sql.query<{ id: string; blocked: boolean }>(CLAIM, [
    consumer,
    tenantId,
    events.map((e) => e.eventId),
    events.map((e) => dayOfEvent(e.eventId)),
    events.map((e) => e.topic),
    events.map((e) => e.aggregateId),
  ]);
  const state = new Map(rows.map((row) => [row.id, row.blocked]));
  const seen = new Set<string>();
  const once = events.filter((event) => !seen.has(event.eventId) && seen.add(event.eventId));
  return {
    fresh: once.filter((event) => state.get(event.eventId) === false),
    blocked: once.filter((event) => state.get(event.eventId) === true),
  };
}
