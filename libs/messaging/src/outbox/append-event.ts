import type { EventDefinition, EventHeaders, PayloadOf } from '@kontor/contracts';
import { DomainError, invariant, newUuid, prepared, type Tx } from '@kontor/kernel';
import { currentEventHeaders } from '../consumer/event-context.js';
import { messagingHooks } from '../ports.js';
import { fits } from './fits.js';
import { LargeNotices } from './large-notices.js';
import { wakeRelay } from './wake.js';

/** 256 KiB: what a broker takes without special care, and what a consumer can hold in a batch of 500. */
export const MAX_EVENT_BYTES = 262_144;

export interface NewEvent<Payload> {
  readonly aggregateId: string;
  /** The aggregate row's version after this change: 1, 2, 3 … without gaps. The row must be locked by `tx`. */
  readonly aggregateSeq: number;
  readonly payload: Payload;
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- any definition, whatever its payload
type AnyEvent = EventDefinition<any>;

/**
 * Records that something happened, in the transaction in which it happened: both commit or neither does. The relay
 * publishes it afterwards, at least once and in order per aggregate. Notices that make it too large travel by reference.
 * @throws InvariantError when the payload breaks its schema; DomainError `event_too_large` over 256 KiB.
 */
export const appendEvent = <D extends AnyEvent>(tx: Tx, definition: D, event: NewEvent<PayloadOf<D>>): Promise<void> =>
  appendEvents(tx, definition, [event]);

const APPEND = prepared(
  `INSERT INTO outbox (event_id, tenant_id, aggregate_id, aggregate_seq, topic, type, payload, headers, effective_at)
   SELECT e.event_id, $1, e.aggregate_id, e.aggregate_seq, $2, $3, e.payload, $4, $5
   FROM unnest($6::uuid[], $7::text[], $8::bigint[], string_to_array($9, E'\\n')) WITH ORDINALITY
     AS e(event_id, aggregate_id, aggregate_seq, payload, n)
   ORDER BY e.n`,
);

/** {@link appendEvent} for many aggregates by one statement; their order is kept. */
export async function appendEvents<D extends AnyEvent>(
  tx: Tx,
  definition: D,
  events: readonly NewEvent<PayloadOf<D>>[],
): Promise<void> {
  if (events.length === 0) return;
  const notices = new LargeNotices(tx);
  const payloads = events.map((event) => serialize(definition, event.payload, notices));
  await notices.store();
  await tx.query(APPEND, [
    tx.tenantId,
    definition.topic,
    definition.type,
    JSON.stringify(headersNow()),
    tx.now,
    events.map(() => newUuid()),
    events.map((event) => event.aggregateId),
    events.map((event) => event.aggregateSeq),
    // JSON on one line has no line break: so nothing is quoted here and unquoted there, which took as long as all the rest.
    payloads.join('\n'),
  ]);
  await wakeRelay(tx);
}

function serialize(definition: AnyEvent, payload: unknown, notices: LargeNotices): string {
  const violation = definition.check(payload);
  invariant(violation === undefined, `${definition.type} breaks its schema at ${violation}`);
  const text = notices.lighten(payload, JSON.stringify(payload));
  if (!fits(text, MAX_EVENT_BYTES)) {
    throw new DomainError('event_too_large', {
      detail: `The change is too large to be published: ${Math.ceil(Buffer.byteLength(text) / 1024)} KiB of at most 256.`,
    });
  }
  return text;
}

/** The request's headers; inside a consumer those of the event that is being applied, so that a cause stays traceable. */
function headersNow(): EventHeaders {
  const headers = messagingHooks().headers?.() ?? {};
  return { ...currentEventHeaders(), ...headers };
}
