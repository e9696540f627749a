import { Database, selectRows, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { type MeteredAsk, type MeteredSource, MeteredSources } from '../billing-runs/metered-sources.js';
import { MeasurementRow } from '../db/catalogue.row.js';
import { SubscriptionItemRow } from '../db/subscription-item.row.js';
import type { MeteredQuantity } from '../domain/charging/metered.js';
import { measuredQuantity, type Reading } from '../domain/measurements/measured-quantity.js';

interface ReadingOf extends Reading {
  /** Index of the ask that it belongs to. */
  readonly n: number;
}

/**
 * Quantities that come from readings. Nothing is frozen: a reading of a billed period is refused, and one that comes while a run
 * is counting makes that run start over.
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

  measure(tenantId: string, asks: readonly MeteredAsk[]): Promise<Map<string, MeteredQuantity>> {
    return this.database.tenant(
      tenantId,
      async (tx) => {
        const rows = await tx.manager.findBy(MeasurementRow, { tenantId, id: In(asks.map(({ meter }) => meter.id)) });
        const rules = new Map(rows.map((row) => [row.id, row]));
        const before = await levelsBefore(tx, asks);
        const agreed = await agreedQuantities(tx, asks);
        const within = await readingsWithin(tx, asks);
        const answers = new Map<string, MeteredQuantity>();
        asks.forEach((ask, n) => {
          const rule = rules.get(ask.meter.id);
          if (!rule) return;
          const held = before.get(n) ?? (rule.type === 'recurring' ? agreed.get(ask.itemId) : undefined) ?? '0';
          answers.set(ask.key, { quantity: measuredQuantity(rule, within.get(n) ?? [], ask, held), groups: [], closingId: null });
        });
        return answers;
      },
      { readOnly: true },
    );
  }
}

const columns = (asks: readonly MeteredAsk[]): unknown[] => [
  asks.map((_, n) => n),
  asks.map(({ itemId }) => itemId),
  asks.map(({ meter }) => meter.id),
  asks.map(({ fromInstant }) => fromInstant),
  asks.map(({ toInstant }) => toInstant),
];
const ASKED =
  'unnest($2::int[], $3::uuid[], $4::uuid[], $5::timestamptz[], $6::timestamptz[]) as a (n, item_id, measurement_id, from_at, to_at)';

async function readingsWithin(tx: TenantTx, asks: readonly MeteredAsk[]): Promise<Map<number, Reading[]>> {
  const rows = await tx.query<ReadingOf>(
    `select a.n, s.quantity, s.measured_at as "measuredAt" from ${ASKED} join subscription_measurement s
       on s.tenant_id = $1 and s.item_id = a.item_id and s.measurement_id = a.measurement_id and s.measured_at >= a.from_at and s.measured_at < a.to_at
     order by a.n, s.measured_at, s.id`,
    [tx.tenantId, ...columns(asks)],
  );
  const found = new Map<number, Reading[]>();
  for (const row of rows) {
    const readings = found.get(row.n);
    if (readings) readings.push(row);
    else found.set(row.n, [row]);
  }
  return found;
}

/** The last readings before the periods began. */
async function levelsBefore(tx: TenantTx, asks: readonly MeteredAsk[]): Promise<Map<number, string>> {
  const rows = await tx.query<{ n: number; quantity: string }>(
    `select a.n, s.quantity from ${ASKED} cross join lateral (
       select quantity from subscription_measurement s where s.tenant_id = $1 and s.item_id = a.item_id and s.measurement_id = a.measurement_id
         and s.measured_at < a.from_at order by s.measured_at desc, s.id desc limit 1) s
     where a.to_at is not null`,
    [tx.tenantId, ...columns(asks)],
  );
  return new Map(rows.map(({ n, quantity }) => [n, quantity]));
}

/** What holds before the first reading of a recurring measurement. */
async function agreedQuantities(tx: TenantTx, asks: readonly MeteredAsk[]): Promise<Map<string, string>> {
  const items = await selectRows(tx, SubscriptionItemRow, 't.tenant_id = $1 and t.id = any($2::uuid[])', [tx.tenantId, asks.map(({ itemId }) => itemId)]); // prettier-ignore
  return new Map(items.map((item) => [item.id, item.quantity]));
}
