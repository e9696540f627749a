import { NOTICE_TYPES } from '@kontor/contracts';
import { Injectable } from '@nestjs/common';
import { notFound } from '@kontor/kernel';
import { Database, type TenantTx } from '@kontor/persistence';
import { type ListQuery, listRows, type Page, page } from '@kontor/service-kit';
import { type DeliveryAttemptRow, deliveryAttempts } from '../delivery-queue/delivery-attempt.row.js';
import { deliveries, type DeliveryRow } from '../delivery-queue/delivery.row.js';
import { endpoints } from '../endpoints/endpoint.row.js';
import type { WebhookDeliveryJson } from './delivery.schema.js';

const representDelivery = (row: DeliveryRow, attempts: readonly DeliveryAttemptRow[]): WebhookDeliveryJson => ({
  id: row.id,
  eventId: row.eventId,
  eventType: row.eventType,
  status: row.status,
  attempts: attempts.map(({ at, responseStatus, durationMs, error }) => ({
    at: at.toISOString(),
    responseStatus,
    durationMs,
    error,
  })),
  nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
});

export const DELIVERY_FILTERS = {
  status: ['pending', 'delivered', 'failed'],
  eventType: NOTICE_TYPES,
  eventId: 'text',
} as const;

const COLUMNS = { status: 'status', eventType: 'event_type', eventId: 'event_id', createdAt: 'created_at' };

/** Deliveries with their attempts. */
@Injectable()
export class ReadDeliveries {
  constructor(private readonly database: Database) {}

  /** Newest first. @throws 404 for an unknown endpoint. */
  list(tenantId: string, endpointId: string, list: ListQuery): Promise<Page<WebhookDeliveryJson>> {
    return this.database.tenant(
      tenantId,
      async (tx) => {
        if (!(await endpoints.exists(tx, { id: endpointId }))) throw notFound('The webhook');
        const { rows, total } = await listRows(tx, list, {
          table: deliveries,
          columns: COLUMNS,
          defaultOrder: 'created_at DESC, id DESC',
          condition: (bind) => `endpoint_id = ${bind(endpointId)}`,
        });
        return page(await withAttempts(tx, rows), total, list);
      },
      { readOnly: true },
    );
  }

  get(tenantId: string, id: string): Promise<WebhookDeliveryJson> {
    return this.database.tenant(tenantId, (tx) => readDelivery(tx, id), { readOnly: true });
  }
}

/** @throws 404. */
export async function readDelivery(tx: TenantTx, id: string): Promise<WebhookDeliveryJson> {
  const row = await deliveries.get(tx, id);
  if (!row) throw notFound('The delivery');
  const [delivery] = await withAttempts(tx, [row]);
  return delivery!;
}

async function withAttempts(tx: TenantTx, rows: readonly DeliveryRow[]): Promise<WebhookDeliveryJson[]> {
  const attempts = await deliveryAttempts.find(
    tx,
    { deliveryId: rows.map(({ id }) => id) },
    { orderBy: { deliveryId: 'asc', n: 'asc' } },
  );
  const byDelivery = new Map<string, DeliveryAttemptRow[]>(rows.map(({ id }) => [id, []]));
  for (const attempt of attempts) byDelivery.get(attempt.deliveryId)!.push(attempt);
  return rows.map((row) => representDelivery(row, byDelivery.get(row.id) ?? []));
}
