import type { EventEnvelope, EventHeaders } from '@kontor/contracts';
import type { OutboxRecord } from './bus-port.js';

/** The wire form of a record: its JSON texts are spliced in, not parsed and written again. */
export function envelopeText(record: OutboxRecord): string {
  const { eventId, type, topic, tenantId, aggregateId, aggregateSeq } = record;
  const head = JSON.stringify({
    eventId,
    type,
    topic,
    tenantId,
    aggregateId,
    aggregateSeq,
    effectiveAt: record.effectiveAt.toISOString(),
  });
  return `${head.slice(0, -1)},"headers":${record.headers},"payload":${record.payload}}`;
}

const parsed = new WeakMap<OutboxRecord, EventEnvelope>();

/** The same as an object, parsed once per record however many groups read it. Consumers do not change events. */
export function envelopeOf(record: OutboxRecord): EventEnvelope {
  let envelope = parsed.get(record);
  if (!envelope) {
    const { eventId, type, topic, tenantId, aggregateId, aggregateSeq } = record;
    const headers = JSON.parse(record.headers) as EventHeaders;
    envelope = {
      eventId,
      type,
      topic,
      tenantId,
      aggregateId,
      aggregateSeq,
      effectiveAt: record.effectiveAt.toISOString(),
      headers,
      payload: JSON.parse(record.payload),
    };
    parsed.set(record, envelope);
  }
  return envelope;
}
