import { Database, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import * as tables from '../db/tables.js';
import { type MeteredSource, MeteredSources } from '../metering/metered-sources.js';
import type { MeteredQuantity, QuantityRequest } from '../domain/metering/metered.js';
import { measuredQuantity, type Reading } from '../domain/measurements/measured-quantity.js';

interface ReadingOf extends Reading {
  /** Index of the request that it belongs to. */
  readonly n: number;
}

/**
 * Quantities that come from readings. Nothing is frozen: a reading of a billed period is refused, and one that comes
 * while a run is counting makes that run start over.
 */
@Injectable()
export class MeasurementSource implements MeteredSource {
  readonly source = 'measurement';

  constructor(
    private readonly database: Database,
    sources: MeteredSources,
  ) {
    sources.register(this);
  }

  measure(tenantId: string, requests: readonly QuantityRequest[]): Promise<Map<string, MeteredQuantity>> {
    return this.database.tenant(
      tenantId,
      async (tx) => {
        const rows = await tables.measurements.findByIds(
          tx,
          requests.map(({ meter }) => meter.id),
        );
        const rules = new Map(rows.map((row) => [row.id, row]));
        const before = await levelsBefore(tx, requests);
        const agreed = await agreedQuantities(tx, requests);
        const within = await readingsWithin(tx, requests);
        const answers = new Map<string, MeteredQuantity>();
        requests.forEach((request, n) => {
          const rule = rules.get(request.meter.id);
          if (!rule) return;
          const held = before.get(n) ?? (rule.type === 'recurring' ? agreed.get(request.itemId) : undefined) ?? '0';
          answers.set(request.key, {
            quantity: measuredQuantity(rule, within.get(n) ?? [], request, held),
            groups: [],
            closingId: null,
          });
        });
        return answers;
      },
      { readOnly: true },
    );
  }
}

const columns = (requests: readonly QuantityRequest[]): unknown[] => [
  requests.map((_, n) => n),
  requests.map(({ itemId }) => itemId),
  requests.map(({ meter }) => meter.id),
  requests.map(({ fromInstant }) => fromInstant),
  requests.map(({ toInstant }) => toInstant),
];
const REQUESTED = `unnest($2::int[], $3::uuid[], $4::uuid[], $5::timestamptz[], $6::timestamptz[])
  AS a (n, item_id, measurement_id, from_at, to_at)`;

async function readingsWithin(tx: TenantTx, requests: readonly QuantityRequest[]): Promise<Map<number, Reading[]>> {
  const rows = await tx.query<ReadingOf>(
    `SELECT a.n, s.quantity, s.measured_at AS "measuredAt"
     FROM ${REQUESTED}
     JOIN subscription_measurement s ON s.tenant_id = $1 AND s.item_id = a.item_id
       AND s.measurement_id = a.measurement_id AND s.measured_at >= a.from_at AND s.measured_at < a.to_at
     ORDER BY a.n, s.measured_at, s.id`,
    [tx.tenantId, ...columns(requests)],
  );
  return Map.groupBy(rows, ({ n }) => n);
}

/** The last readings before the periods began. */
async function levelsBefore(tx: TenantTx, requests: readonly QuantityRequest[]): Promise<Map<number, string>> {
  const rows = await tx.query<{ n: number; quantity: string }>(
    `SELECT a.n, s.quantity
     FROM ${REQUESTED}
     CROSS JOIN LATERAL (
       SELECT quantity FROM subscription_measurement s
       WHERE s.tenant_id = $1 AND s.item_id = a.item_id AND s.measurement_id = a.measurement_id
         AND s.measured_at < a.from_at
       ORDER BY s.measured_at DESC, s.id DESC LIMIT 1) s
     WHERE a.to_at IS NOT NULL`,
    [tx.tenantId, ...columns(requests)],
  );
  return new Map(rows.map(({ n, quantity }) => [n, quantity]));
}

/** What holds before the first reading of a recurring measurement. */
async function agreedQuantities(tx: TenantTx, requests: readonly QuantityRequest[]): Promise<Map<string, string>> {
  const items = await tables.subscriptionItems.findByIds(
    tx,
    requests.map(({ itemId }) => itemId),
  );
  return new Map(items.map((item) => [item.id, item.quantity]));
}
