import { Injectable } from '@nestjs/common';
import { onCommit, type TenantTx } from '@kontor/persistence';
import { monotonicFactory } from 'ulid';
import { Dispatcher } from '../deliveries/dispatcher.js';
import { matchesEvent } from '../domain/endpoints/event-pattern.js';
import { endpoints } from '../endpoints/endpoint.row.js';
import type { ObjectRow } from '../delivery-queue/object.row.js';
import { loggedEvents } from './event.row.js';
import { enqueue, type QueuedEvent } from '../delivery-queue/enqueue.js';
import { countByObject, type FoundNotice } from '../domain/event-log/notices.js';

/** Ids of one process rise even within a millisecond, so the log's order is that of recording. */
const nextUlid = monotonicFactory();

/** Writes notices into the event log and queues a delivery for every endpoint that asked for them, set by set. */
@Injectable()
export class RecordEvents {
  constructor(private readonly dispatcher: Dispatcher) {}

  /** `only`: one endpoint, whatever it asked for; else all enabled ones whose patterns match. */
  async execute(tx: TenantTx, found: readonly FoundNotice[], only?: string): Promise<{ deliveryIds: string[] }> {
    if (found.length === 0) return { deliveryIds: [] };
    // The share lock keeps an endpoint from being disabled or removed between this look and our commit.
    const receivers = await endpoints.where(tx, 'enabled ORDER BY id FOR KEY SHARE');
    const events = await log(tx, found);
    const deliveries = receivers
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

/** One statement assigns the next sequences of all objects; a second transaction waits for the first one's commit. */
async function log(tx: TenantTx, found: readonly FoundNotice[]): Promise<QueuedEvent[]> {
  const counts = countByObject(found);
  const assigned = await tx.query<Omit<ObjectRow, 'tenantId'>>(
    `INSERT INTO webhook_object AS o (tenant_id, object_id, last_sequence)
     SELECT $1, c.object_id, c.n FROM unnest($2::text[], $3::bigint[]) AS c (object_id, n)
     ON CONFLICT (tenant_id, object_id) DO UPDATE SET last_sequence = o.last_sequence + excluded.last_sequence
     RETURNING object_id AS "objectId", last_sequence AS "lastSequence"`,
    [tx.tenantId, counts.map(({ objectId }) => objectId), counts.map(({ n }) => n)],
  );
  const last = new Map(assigned.map((row) => [row.objectId, row.lastSequence]));
  const next = new Map(counts.map(({ objectId, n }) => [objectId, last.get(objectId)! - BigInt(n)]));
  const rows = found.map(({ notice, at }) => {
    const sequence = next.get(notice.objectId)! + 1n;
    next.set(notice.objectId, sequence);
    const { type, objectId, customerId, data } = notice;
    return { id: nextUlid(), type, objectId, sequence, customerId, data: JSON.stringify(data), createdAt: at };
  });
  await loggedEvents.insert(tx, rows);
  return rows.map(({ id, type, objectId, sequence }) => ({ id, type, objectId, sequence: Number(sequence) }));
}
