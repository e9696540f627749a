import { Injectable } from '@nestjs/common';
import { onCommit, type TenantTx } from '@kontor/persistence';
import { monotonicFactory } from 'ulid';
import { Dispatcher } from '../deliveries/dispatcher.js';
import { matchesEvent } from '../domain/event-pattern.js';
import { countByObject, type FoundNotice } from '../domain/notices.js';

/** Ids of one process rise even within a millisecond, so the log's order is that of recording. */
const nextUlid = monotonicFactory();

export interface LoggedEvent {
  readonly id: string;
  readonly type: string;
  readonly objectId: string;
  readonly sequence: number;
}

/** Writes notices into the event log and puts a delivery in line for every endpoint that asked for them, set by set. */
@Injectable()
export class RecordEvents {
  constructor(private readonly dispatcher: Dispatcher) {}

  /** `only`: one endpoint, whatever it asked for; else all enabled ones whose patterns match. */
  async execute(tx: TenantTx, found: readonly FoundNotice[], only?: string): Promise<{ deliveryIds: string[] }> {
    if (found.length === 0) return { deliveryIds: [] };
    // The share lock keeps an endpoint from being disabled or removed between this look and our commit.
    const endpoints = await tx.query<{ id: string; events: string[] }>(
      'SELECT id, events FROM webhook_endpoint WHERE tenant_id = $1 AND enabled ORDER BY id FOR KEY SHARE',
      [tx.tenantId],
    );
    const events = await log(tx, found);
    const deliveries = endpoints
      .filter(({ id }) => only === undefined || id === only)
      .flatMap(({ id: endpointId, events: patterns }) =>
        events
          .filter(({ type }) => only !== undefined || matchesEvent(patterns, type))
          .map((event) => ({ endpointId, event, id: nextUlid() })),
      );
    if (deliveries.length > 0) {
      await enqueue(tx, deliveries);
      const { tenantId } = tx;
      const due = [...new Set(deliveries.map(({ endpointId }) => endpointId))];
      onCommit(tx, () => this.dispatcher.wake(tenantId, due));
    }
    return { deliveryIds: deliveries.map(({ id }) => id) };
  }
}

/** One statement gives every object its next sequences; whoever comes second waits for the first one's commit. */
async function log(tx: TenantTx, found: readonly FoundNotice[]): Promise<LoggedEvent[]> {
  const counts = countByObject(found);
  const given = await tx.query<{ object_id: string; last_sequence: bigint }>(
    `INSERT INTO webhook_object AS o (tenant_id, object_id, last_sequence) SELECT $1, c.object_id, c.n FROM unnest($2::text[], $3::bigint[]) AS c (object_id, n)
     ON CONFLICT (tenant_id, object_id) DO UPDATE SET last_sequence = o.last_sequence + excluded.last_sequence RETURNING object_id, last_sequence`,
    [tx.tenantId, counts.map(({ objectId }) => objectId), counts.map(({ n }) => n)],
  );
  const last = new Map(given.map((row) => [row.object_id, Number(row.last_sequence)]));
  const next = new Map(counts.map(({ objectId, n }) => [objectId, last.get(objectId)! - n]));
  const events = found.map(({ notice }) => {
    const sequence = next.get(notice.objectId)! + 1;
    next.set(notice.objectId, sequence);
    return { id: nextUlid(), type: notice.type, objectId: notice.objectId, sequence };
  });
  await tx.query(
    `INSERT INTO webhook_event (tenant_id, id, type, object_id, sequence, customer_id, data, created_at)
     SELECT $1, * FROM unnest($2::text[], $3::text[], $4::text[], $5::bigint[], $6::uuid[], $7::text[], $8::timestamptz[])`,
    [
      tx.tenantId, events.map((e) => e.id), events.map((e) => e.type), events.map((e) => e.objectId), events.map((e) => e.sequence),
      found.map((f) => f.notice.customerId), found.map((f) => JSON.stringify(f.notice.data)), found.map((f) => f.at),
    ],
  ); // prettier-ignore
  return events;
}

/** The first of each object's queue is its head, unless one is there already. */
async function enqueue(tx: TenantTx, deliveries: readonly { id: string; endpointId: string; event: LoggedEvent }[]): Promise<void> {
  await tx.query(
    `INSERT INTO delivery (tenant_id, id, endpoint_id, event_id, event_type, object_id, sequence, status, next_attempt_at, head)
     SELECT $1, n.id, n.endpoint_id, n.event_id, n.event_type, n.object_id, n.sequence, 'pending', now(),
       row_number() OVER (PARTITION BY n.endpoint_id, n.object_id ORDER BY n.sequence) = 1
       AND NOT EXISTS (SELECT 1 FROM delivery d WHERE d.tenant_id = $1 AND d.endpoint_id = n.endpoint_id AND d.object_id = n.object_id AND d.status = 'pending')
     FROM unnest($2::text[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::bigint[]) AS n (id, endpoint_id, event_id, event_type, object_id, sequence)`,
    [
      tx.tenantId, deliveries.map((d) => d.id), deliveries.map((d) => d.endpointId), deliveries.map((d) => d.event.id), deliveries.map((d) => d.event.type),
      deliveries.map((d) => d.event.objectId), deliveries.map((d) => d.event.sequence),
    ],
  ); // prettier-ignore
}
