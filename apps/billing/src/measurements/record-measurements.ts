import { DomainError, newUuid, unknownReference } from '@kontor/kernel';
import { Replicas, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import * as tables from '../db/tables.js';
import { refreshAccounts } from '../billing-accounts/accounts.js';
import type { MeasurementRow } from '../db/catalogue.row.js';
import type { SubscriptionItemRow } from '../db/subscription-item.row.js';
import type { SubscriptionMeasurementRow } from '../db/subscription-measurement.row.js';
import { applyReading } from '../domain/measurements/apply-reading.js';
import { nextChange } from '../domain/subscriptions/planned-change.js';
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
      `SELECT i.id AS "itemId", i.subscription_id AS "subscriptionId", p.measurement_id AS "measurementId", m.code
       FROM subscription_item i
       JOIN price_plan p ON p.tenant_id = i.tenant_id AND p.id = i.price_plan_id
       JOIN measurement m ON m.tenant_id = p.tenant_id AND m.id = p.measurement_id
       WHERE i.tenant_id = $1 AND (i.id = ANY($2::uuid[]) OR i.subscription_id = ANY($3::uuid[]))
       ORDER BY i.ranking`,
      [
        tx.tenantId,
        sent.flatMap(({ subscriptionItem }) => subscriptionItem ?? []),
        sent.flatMap(({ subscription }) => subscription ?? []),
      ],
    );
    const rows = await tables.measurements.findByIds(
      tx,
      candidates.map(({ measurementId }) => measurementId),
    );
    const measurements = new Map(rows.map((row) => [row.id, row]));
    return sent.map((reading) => {
      const found = candidateOf(reading, candidates);
      return found instanceof DomainError
        ? found
        : { sent: reading, ...found, measurement: measurements.get(found.measurementId)! };
    });
  }

  /**
   * Readings of one subscription, in the order in which they were measured. The subscription and its account are
   * locked.
   */
  async execute(tx: TenantTx, subscriptionId: string, readings: readonly ResolvedMeasurement[]): Promise<Outcome[]> {
    const loaded = await lockAgreement(tx, this.replicas, subscriptionId);
    const items = new Map(loaded.agreement.items.map((item) => [item.id, item]));
    const known = await knownReadings(tx, readings);
    const series = await laterReadings(tx, readings);
    const rows: SubscriptionMeasurementRow[] = [];
    const outcomes = new Map<ResolvedMeasurement, Outcome>();
    const ordered = readings
      .map((reading) => ({ reading, row: rowOf(tx, reading) }))
      .sort((a, b) => a.row.measuredAt.getTime() - b.row.measuredAt.getTime());
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
    await tables.subscriptionMeasurements.insert(tx, rows);
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
    return applyReading(item, agreement.subscription, reading, {
      rules: measurement,
      price: prices.priceOf(item.pricePlanId),
      now,
      zone: zones.customer,
    });
  }

  /**
   * A changed quantity changes the subscription; a reading that only counts makes a run that has counted already start
   * over.
   */
  private async store(
    tx: TenantTx,
    loaded: LoadedAgreement,
    items: SubscriptionItemRow[],
    recorded: boolean,
  ): Promise<void> {
    const { subscription } = loaded.agreement;
    const changed = items.filter((item, n) => item !== loaded.agreement.items[n]);
    if (changed.length > 0) {
      const metadata = {
        items: changed.map((item) => ({
          itemId: item.id,
          quantity: item.quantitySteps?.at(-1)?.quantity ?? nextChange(item)?.quantity ?? item.quantity,
        })),
        measured: true,
      };
      await this.save.execute(tx, loaded, { subscription, items }, [{ type: 'subscription.updated', metadata }]);
    } else if (recorded) await refreshAccounts(tx, [subscription.customerId]);
  }
}

function candidateOf(sent: SentMeasurement, candidates: readonly Candidate[]): Candidate | DomainError {
  const named = candidates.filter(
    ({ itemId, subscriptionId }) =>
      (sent.subscriptionItem === null || itemId === sent.subscriptionItem) &&
      (sent.subscription === null || subscriptionId === sent.subscription),
  );
  if (named.length === 0) return unknownReference(sent.subscriptionItem === null ? 'subscription' : 'subscriptionItem');
  const measured = measuredBy(sent.measurement, named);
  if (measured.length === 0) return unknownReference('measurement', 'measurement of the subscription item');
  if (measured.length > 1) {
    const message = 'subscriptionItem is required: several items have this measurement.';
    return new DomainError('ambiguous_subscription_item', {
      detail: message,
      violations: [{ propertyPath: 'subscriptionItem', message, code: 'ambiguous' }],
    });
  }
  return measured[0]!;
}

function rowOf(tx: TenantTx, { sent, itemId, measurement }: ResolvedMeasurement): SubscriptionMeasurementRow {
  const id = newUuid();
  const measuredAt = sent.measuredAt ?? tx.now;
  return {
    tenantId: tx.tenantId,
    id,
    itemId,
    measurementId: measurement.id,
    transactionId: sent.transactionId ?? id,
    quantity: sent.quantity,
    measuredAt,
    createdAt: tx.now,
  };
}

type Key = Pick<SubscriptionMeasurementRow, 'itemId' | 'measurementId' | 'transactionId'>;
const seriesOf = ({ itemId, measurementId }: Omit<Key, 'transactionId'>): string => `${itemId} ${measurementId}`;
const keyOf = (row: Key): string => `${seriesOf(row)} ${row.transactionId}`;

async function knownReadings(tx: TenantTx, readings: readonly ResolvedMeasurement[]): Promise<Set<string>> {
  const named = readings.filter(({ sent }) => sent.transactionId !== null);
  if (named.length === 0) return new Set();
  const rows = await tx.query<Key>(
    `SELECT s.item_id AS "itemId", s.measurement_id AS "measurementId", s.transaction_id AS "transactionId"
     FROM subscription_measurement s
     WHERE s.tenant_id = $1 AND s.item_id = ANY($2::uuid[]) AND s.transaction_id = ANY($3::text[])`,
    [tx.tenantId, named.map(({ itemId }) => itemId), named.map(({ sent }) => sent.transactionId)],
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
  const series = [...oldest.values()];
  const rows = await tx.query<Omit<Key, 'transactionId'> & Reading>(
    `SELECT m.item_id AS "itemId", m.measurement_id AS "measurementId", m.quantity, m.measured_at AS "measuredAt"
     FROM unnest($2::uuid[], $3::uuid[], $4::timestamptz[]) AS a (item_id, measurement_id, at)
     JOIN subscription_measurement m ON m.tenant_id = $1 AND m.item_id = a.item_id
       AND m.measurement_id = a.measurement_id AND m.measured_at > a.at
     ORDER BY m.measured_at, m.id`,
    [
      tx.tenantId,
      series.map(({ itemId }) => itemId),
      series.map(({ measurement }) => measurement.id),
      series.map(({ at }) => at),
    ],
  );
  const found = new Map<string, Reading[]>();
  for (const row of rows) found.set(seriesOf(row), [...(found.get(seriesOf(row)) ?? []), row]);
  return found;
}

/** Those with the measurement; where none is named those with `quantity`, else all of them. */
function measuredBy(measurement: string | null, named: readonly Candidate[]): readonly Candidate[] {
  const having = (wanted: string) =>
    named.filter(({ code, measurementId }) => code === wanted || measurementId === wanted);
  if (measurement !== null) return having(measurement);
  const counted = having('quantity');
  return counted.length > 0 ? counted : named;
}
