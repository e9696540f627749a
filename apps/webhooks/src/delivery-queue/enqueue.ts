import type { TenantTx } from '@kontor/persistence';

/** An event of the log, as deliveries announce it. */
export interface QueuedEvent {
  readonly id: string;
  readonly type: string;
  readonly objectId: string;
  readonly sequence: number;
}

/** The first of each object's queue is its head, unless one is there already. */
export async function enqueue(
  tx: TenantTx,
  deliveries: readonly { id: string; endpointId: string; event: QueuedEvent }[],
): Promise<void> {
  await tx.query(
    `INSERT INTO delivery
       (tenant_id, id, endpoint_id, event_id, event_type, object_id, sequence, status, next_attempt_at, head)
     SELECT $1, n.id, n.endpoint_id, n.event_id, n.event_type, n.object_id, n.sequence, 'pending', now(),
       row_number() OVER (PARTITION BY n.endpoint_id, n.object_id ORDER BY n.sequence) = 1
       AND NOT EXISTS (
         SELECT 1
         FROM delivery d
         WHERE d.tenant_id = $1 AND d.endpoint_id = n.endpoint_id AND d.object_id = n.object_id
           AND d.status = 'pending')
     FROM unnest($2::text[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::bigint[])
       AS n (id, endpoint_id, event_id, event_type, object_id, sequence)`,
    [
      tx.tenantId,
      deliveries.map((delivery) => delivery.id),
      deliveries.map((delivery) => delivery.endpointId),
      deliveries.map((delivery) => delivery.event.id),
      deliveries.map((delivery) => delivery.event.type),
      deliveries.map((delivery) => delivery.event.objectId),
      deliveries.map((delivery) => delivery.event.sequence),
    ],
  );
}
