import { DomainError, newUuid, unknownReference } from '@kontor/kernel';
import { insertRows, Replicas, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { refreshAccounts } from '../billing-runs/accounts.js';
import { MeasurementRow } from '../db/catalogue.row.js';
import { SubscriptionItemRow } from '../db/subscription-item.row.js';
import { SubscriptionMeasurementRow } from '../db/subscription-measurement.row.js';
import { applyReading } from '../domain/measurements/apply-reading.js';
import type { Reading } from '../domain/measurements/measured-quantity.js';
import type { SentMeasurement } from '../domain/measurements/read-measurement.js';
import { type LoadedAgreement, lockAgreement } from '../subscriptions/agreement.js';
import { SaveAgreement } from '../subscriptions/save-agreement.js';

export type Outcome = 'recorded' | 'duplicate' | DomainError;

/** A reading with the item and the measurement that it is of. */
export interface ResolvedMeasurement {
  readonly sent: SentMeasurement;
  readonly subscriptionId: string;
  readonly itemId: string;
  readonly measurement: MeasurementRow;
}

interface Candidate {
  itemId: string;
  subscriptionId: string;
  measurementId: string;
  code: string;
}

/** Records readings and lets them change what they are readings of. */
@Injectable()
export class RecordMeasurements {
  constructor(
    private readonly replicas: Replicas,
    private readonly save: SaveAgreement,
  ) {}

  /** The items of readings, in their order; a refusal where there is none or more than one. */
  async resolve(tx: TenantTx, sent: readonly SentMeasurement[]): Promise<(ResolvedMeasurement | DomainError)[]> {
    const candidates = await tx.query<Candidate>(
      `select i.id as "itemId", i.subscription_id as "subscriptionId", p.measurement_id as "measurementId", m.code
       from subscription_item i join price_plan p on p.tenant_id = i.tenant_id and p.id = i.price_plan_id join measurement m on m.tenant_id = p.tenant_id and m.id = p.measurement_id
       where i.tenant_id = $1 and (i.id = any($2::uuid[]) or i.subscription_id = any($3::uuid[])) order by i.ranking`,
      [tx.tenantId, sent.flatMap((one) => one.subscriptionItem ?? []), sent.flatMap((one) => one.subscription ?? [])],
    );
    const ids = [...new Set(candidates.map((one) => one.measurementId))];
    const rows = await tx.manager.findBy(MeasurementRow, { tenantId: tx.tenantId, id: In(ids) });
    const measurements = new Map(rows.map((row) => [row.id, row]));
    return sent.map((one) => {
      const found = candidateOf(one, candidates);
      return found instanceof DomainError ? found : { sent: one, ...found, measurement: measurements.get(found.measurementId)! };
    });
  }

  /** Readings of one subscription, in the order in which they were measured. The subscription and its account are locked. */
  async execute(tx: TenantTx, subscriptionId: string, readings: readonly ResolvedMeasurement[]): Promise<Outcome[]> {
    const loaded = await lockAgreement(tx, this.replicas, subscriptionId);
    const items = new Map(loaded.agreement.items.map((item) => [item.id, item]));
    const known = await knownReadings(tx, readings);
    const series = await laterReadings(tx, readings);
    const rows: SubscriptionMeasurementRow[] = [];
    const outcomes = new Map<ResolvedMeasurement, Outcome>();
    const ordered = readings.map((reading) => ({ reading, row: rowOf(tx, reading) })).sort((a, b) => a.row.measuredAt.getTime() - b.row.measuredAt.getTime()); // prettier-ignore
    for (const { reading, row } of ordered) {
      if (known.has(keyOf(row))) {
        outcomes.set(reading, 'duplicate');
        continue;
      }
      try {
        const later = (series.get(seriesOf(row)) ?? []).filter(({ measuredAt }) => measuredAt > row.measuredAt);
        items.set(row.itemId, this.applied(items.get(row.itemId)!, reading, row, loaded, tx.now, later));
        known.add(keyOf(row));
        rows.push(row);
        outcomes.set(reading, 'recorded');
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        outcomes.set(reading, error);
      }
    }
    await insertRows(tx, SubscriptionMeasurementRow, rows);
    await this.store(tx, loaded, [...items.values()], rows.length > 0);
    return readings.map((reading) => outcomes.get(reading)!);
  }

  private applied(
    item: SubscriptionItemRow,
    { measurement }: ResolvedMeasurement,
    row: SubscriptionMeasurementRow,
    loaded: LoadedAgreement,
    now: Date,
    later: readonly Reading[],
  ): SubscriptionItemRow {
    const { agreement, prices, zones } = loaded;
    const reading = { quantity: row.quantity, measuredAt: row.measuredAt, later };
    return applyReading(item, agreement.subscription, reading, { rules: measurement, price: prices.priceOf(item.pricePlanId), now, zone: zones.customer }); // prettier-ignore
  }

  /** Who changes a quantity changes the subscription; a reading that only counts makes a run that has counted already start over. */
  private async store(tx: TenantTx, loaded: LoadedAgreement, items: SubscriptionItemRow[], recorded: boolean): Promise<void> {
    const { subscription } = loaded.agreement;
    const changed = items.filter((item, n) => item !== loaded.agreement.items[n]);
    if (changed.length > 0) {
      const metadata = {
        items: changed.map((item) => ({ itemId: item.id, quantity: item.quantitySteps?.at(-1)?.quantity ?? item.nextQuantity ?? item.quantity })), // prettier-ignore
        measured: true,
      };
      await this.save.execute(tx, loaded, { subscription, items }, [{ type: 'subscription.updated', metadata }]);
    } else if (recorded) await refreshAccounts(tx, [subscription.customerId]);
  }
}

function candidateOf(sent: SentMeasurement, candidates: readonly Candidate[]): Candidate | DomainError {
  const own = candidates.filter(
    (one) =>
      (sent.subscriptionItem === null || one.itemId === sent.subscriptionItem) &&
      (sent.subscription === null || one.subscriptionId === sent.subscription),
  );
  if (own.length === 0) return unknownReference(sent.subscriptionItem === null ? 'subscription' : 'subscriptionItem');
  const measured = own.filter((one) => one.code === sent.measurement || one.measurementId === sent.measurement);
  if (measured.length === 0) return unknownReference('measurement', 'measurement of the subscription item');
  if (measured.length > 1) {
    const message = 'Several items are measured by it: name the subscriptionItem.';
    return new DomainError('ambiguous_subscription_item', { detail: message, violations: [{ propertyPath: 'subscriptionItem', message, code: 'ambiguous' }] }); // prettier-ignore
  }
  return measured[0]!;
}

function rowOf(tx: TenantTx, { sent, itemId, measurement }: ResolvedMeasurement): SubscriptionMeasurementRow {
  const id = newUuid();
  const measuredAt = sent.measuredAt ?? tx.now;
  return { tenantId: tx.tenantId, id, itemId, measurementId: measurement.id, transactionId: sent.transactionId ?? id, quantity: sent.quantity, measuredAt, createdAt: tx.now }; // prettier-ignore
}

type Key = Pick<SubscriptionMeasurementRow, 'itemId' | 'measurementId' | 'transactionId'>;
const seriesOf = ({ itemId, measurementId }: Omit<Key, 'transactionId'>): string => `${itemId} ${measurementId}`;
const keyOf = (row: Key): string => `${seriesOf(row)} ${row.transactionId}`;

async function knownReadings(tx: TenantTx, readings: readonly ResolvedMeasurement[]): Promise<Set<string>> {
  const named = readings.filter(({ sent }) => sent.transactionId !== null);
  if (named.length === 0) return new Set();
  const rows = await tx.query<Key>(
    `select s.item_id as "itemId", s.measurement_id as "measurementId", s.transaction_id as "transactionId" from subscription_measurement s
     where s.tenant_id = $1 and s.item_id = any($2::uuid[]) and s.transaction_id = any($3::text[])`,
    [tx.tenantId, named.map((one) => one.itemId), named.map((one) => one.sent.transactionId)],
  );
  return new Set(rows.map(keyOf));
}

/** Known readings that are newer than the oldest of these, by series, in the order of their times. */
async function laterReadings(tx: TenantTx, readings: readonly ResolvedMeasurement[]): Promise<Map<string, Reading[]>> {
  const oldest = new Map<string, ResolvedMeasurement & { at: Date }>();
  for (const reading of readings) {
    const key = seriesOf({ itemId: reading.itemId, measurementId: reading.measurement.id });
    const at = reading.sent.measuredAt ?? tx.now;
    if (!oldest.has(key) || at < oldest.get(key)!.at) oldest.set(key, { ...reading, at });
  }
  const asked = [...oldest.values()];
  const rows = await tx.query<Omit<Key, 'transactionId'> & Reading>(
    `select m.item_id as "itemId", m.measurement_id as "measurementId", m.quantity, m.measured_at as "measuredAt"
     from unnest($2::uuid[], $3::uuid[], $4::timestamptz[]) as a (item_id, measurement_id, at) join subscription_measurement m
       on m.tenant_id = $1 and m.item_id = a.item_id and m.measurement_id = a.measurement_id and m.measured_at > a.at
     order by m.measured_at, m.id`,
    [tx.tenantId, asked.map((one) => one.itemId), asked.map((one) => one.measurement.id), asked.map((one) => one.at)],
  );
  const found = new Map<string, Reading[]>();
  for (const row of rows) found.set(seriesOf(row), [...(found.get(seriesOf(row)) ?? []), row]);
  return found;
}
