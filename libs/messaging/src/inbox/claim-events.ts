import type { EventEnvelope } from '@kontor/contracts';
import type { Sql } from '@kontor/kernel';
import { dayOfEvent } from './event-day.js';

export interface Claim {
  /** Not seen before by this consumer, in the order given: to be applied in this transaction. */
  readonly fresh: readonly EventEnvelope[];
  /** Behind a parked message of their aggregate: to be queued there. */
  readonly blocked: readonly EventEnvelope[];
}

const CLAIM = `with incoming as (
    select * from unnest($3::uuid[], $4::date[], $5::text[], $6::text[]) as e(event_id, day, topic, aggregate_id)
  ), blocked as (
    select e.event_id from incoming e
    where exists (select from parked p where p.consumer = $1 and p.tenant_id = $2 and p.topic = e.topic and p.aggregate_id = e.aggregate_id)
  ), fresh as (
    insert into inbox (consumer, day, event_id)
    select $1, e.day, e.event_id from incoming e where not exists (select from blocked b where b.event_id = e.event_id)
    on conflict do nothing returning event_id
  )
  select event_id::text as id, false as blocked from fresh union all select event_id::text, true from blocked`;

/**
 * Writes the inbox rows of events and tells which of them are new: the rows commit with the effect, so an event has
 * its effect once however often it is delivered. A second deliverer waits here for the first one's outcome.
 */
export async function claimEvents(sql: Sql, consumer: string, tenantId: string, events: readonly EventEnvelope[]): Promise<Claim> {
  const rows = await sql.query<{ id: string; blocked: boolean }>(CLAIM, [
    consumer, tenantId, events.map((e) => e.eventId), events.map((e) => dayOfEvent(e.eventId)), events.map((e) => e.topic),
    events.map((e) => e.aggregateId),
  ]); // prettier-ignore
  const state = new Map(rows.map((row) => [row.id, row.blocked]));
  const seen = new Set<string>();
  const once = events.filter((event) => !seen.has(event.eventId) && seen.add(event.eventId));
  return {
    fresh: once.filter((event) => state.get(event.eventId) === false),
    blocked: once.filter((event) => state.get(event.eventId) === true),
  };
}
