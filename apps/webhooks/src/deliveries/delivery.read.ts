import { Injectable } from '@nestjs/common';
import { notFound } from '@kontor/kernel';
import { Database, type TenantTx } from '@kontor/persistence';
import { type ListQuery, listSql, type Page, page } from '@kontor/service-kit';

interface AttemptRow {
  at: Date;
  responseStatus: number | null;
  durationMs: number;
  error: string | null;
}

interface DeliveryRow {
  readonly id: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly status: 'pending' | 'delivered' | 'failed';
  readonly nextAttemptAt: Date | null;
}

const representDelivery = (row: DeliveryRow, attempts: readonly AttemptRow[]) => ({
  id: row.id,
  eventId: row.eventId,
  eventType: row.eventType,
  status: row.status,
  attempts: attempts.map(({ at, responseStatus, durationMs, error }) => ({ at: at.toISOString(), responseStatus, durationMs, error })),
  nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
});
export type Delivery = ReturnType<typeof representDelivery>;

export const DELIVERY_FILTERS = { status: ['pending', 'delivered', 'failed'], eventType: 'text', eventId: 'text' } as const;

const COLUMNS = 'id, event_id AS "eventId", event_type AS "eventType", status, next_attempt_at AS "nextAttemptAt"';

/** Deliveries with their attempts. */
@Injectable()
export class ReadDeliveries {
  constructor(private readonly database: Database) {}

  /** Newest first. @throws 404 for an unknown endpoint. */
  list(tenantId: string, endpointId: string, list: ListQuery): Promise<Page<Delivery>> {
    const columns = { status: 'status', eventType: 'event_type', eventId: 'event_id', createdAt: 'created_at' };
    const { where, params, orderBy, limit, offset } = listSql(list, { columns, usedParams: 2, defaultOrder: 'created_at DESC, id DESC' });
    return this.database.tenant(
      tenantId,
      async (tx) => {
        const known = await tx.query('SELECT 1 FROM webhook_endpoint WHERE tenant_id = $1 AND id = $2', [tenantId, endpointId]);
        if (known.length === 0) throw notFound('The webhook');
        const values = [tenantId, endpointId, ...params];
        const rows = await tx.query<DeliveryRow>(
          `SELECT ${COLUMNS} FROM delivery WHERE tenant_id = $1 AND endpoint_id = $2 AND ${where} ORDER BY ${orderBy} LIMIT ${limit} OFFSET ${offset}`,
          values,
        );
        const [count] = await tx.query<{ n: bigint }>(
          `SELECT count(*) AS n FROM delivery WHERE tenant_id = $1 AND endpoint_id = $2 AND ${where}`,
          values,
        );
        return page(await withAttempts(tx, rows), count!.n, list);
      },
      { readOnly: true },
    );
  }

  one(tenantId: string, id: string): Promise<Delivery> {
    return this.database.tenant(tenantId, (tx) => readDelivery(tx, id), { readOnly: true });
  }
}

/** @throws 404. */
export async function readDelivery(tx: TenantTx, id: string): Promise<Delivery> {
  const rows = await tx.query<DeliveryRow>(`SELECT ${COLUMNS} FROM delivery WHERE tenant_id = $1 AND id = $2`, [tx.tenantId, id]);
  const [delivery] = await withAttempts(tx, rows);
  if (!delivery) throw notFound('The delivery');
  return delivery;
}

async function withAttempts(tx: TenantTx, rows: readonly DeliveryRow[]): Promise<Delivery[]> {
  const attempts = await tx.query<AttemptRow & { deliveryId: string }>(
    `SELECT delivery_id AS "deliveryId", at, response_status AS "responseStatus", duration_ms AS "durationMs", error
     FROM delivery_attempt WHERE tenant_id = $1 AND delivery_id = ANY($2::text[]) ORDER BY delivery_id, n`,
    [tx.tenantId, rows.map(({ id }) => id)],
  );
  const byDelivery = new Map<string, AttemptRow[]>(rows.map(({ id }) => [id, []]));
  for (const attempt of attempts) byDelivery.get(attempt.deliveryId)!.push(attempt);
  return rows.map((row) => representDelivery(row, byDelivery.get(row.id) ?? []));
}
