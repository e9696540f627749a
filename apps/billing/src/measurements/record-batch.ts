import { DomainError } from '@kontor/kernel';
import { Database, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { isMeasurementError, readMeasurement, type SentMeasurement } from '../domain/measurements/read-measurement.js';
import { RecordMeasurements, type ResolvedMeasurement } from './record-measurements.js';

export interface BatchError {
  readonly index: number;
  readonly transactionId: string | null;
  readonly code: string;
  readonly message: string;
}

/** `recorded + duplicates + failed` is the number of readings. */
export interface BatchResult {
  recorded: number;
  duplicates: number;
  failed: number;
  errors: BatchError[];
}

/** Records many readings, all in one transaction: an invalid reading stops no other. */
@Injectable()
export class RecordBatch {
  constructor(
    private readonly database: Database,
    private readonly record: RecordMeasurements,
  ) {}

  execute(tenantId: string, items: readonly unknown[]): Promise<BatchResult> {
    return this.database.tenant(tenantId, async (tx) => {
      const result: BatchResult = { recorded: 0, duplicates: 0, failed: 0, errors: [] };
      const fail = (index: number, transactionId: string | null, code: string, message: string): void => {
        result.failed++;
        result.errors.push({ index, transactionId, code, message });
      };
      const sent: { index: number; measurement: SentMeasurement }[] = [];
      items.forEach((item, index) => {
        const read = readMeasurement(item);
        if (isMeasurementError(read))
          fail(index, transactionIdOf(item), read.code === 'required' ? 'missing_field' : read.code, read.message);
        else sent.push({ index, measurement: read });
      });
      const resolved = await this.record.resolve(
        tx,
        sent.map(({ measurement }) => measurement),
      );
      const bySubscription = new Map<string, { index: number; reading: ResolvedMeasurement }[]>();
      resolved.forEach((reading, n) => {
        const { index, measurement } = sent[n]!;
        if (reading instanceof DomainError)
          return fail(index, measurement.transactionId, reading.reason, reading.message);
        bySubscription.set(reading.subscriptionId, [
          ...(bySubscription.get(reading.subscriptionId) ?? []),
          { index, reading },
        ]);
      });
      // In one order for all, so that two batches never wait for each other in a circle.
      for (const subscriptionId of await inOrderOfAccounts(tx, [...bySubscription.keys()])) {
        const readings = bySubscription.get(subscriptionId)!;
        const outcomes = await this.record.execute(
          tx,
          subscriptionId,
          readings.map(({ reading }) => reading),
        );
        outcomes.forEach((outcome, n) => {
          const { index, reading } = readings[n]!;
          if (outcome === 'recorded') result.recorded++;
          else if (outcome === 'duplicate') result.duplicates++;
          else fail(index, reading.sent.transactionId, outcome.reason, outcome.message);
        });
      }
      result.errors.sort((a, b) => a.index - b.index);
      return result;
    });
  }
}

const transactionIdOf = (item: unknown): string | null => {
  const id = (item as { transactionId?: unknown } | null)?.transactionId;
  return typeof id === 'string' ? id.slice(0, 255) : null;
};

/** Accounts are locked by customer, as runs do. */
async function inOrderOfAccounts(tx: TenantTx, ids: readonly string[]): Promise<string[]> {
  if (ids.length < 2) return [...ids];
  const rows = await tx.query<{ id: string }>(
    'SELECT id FROM subscription WHERE tenant_id = $1 AND id = ANY($2::uuid[]) ORDER BY customer_id, id',
    [tx.tenantId, ids],
  );
  return rows.map(({ id }) => id);
}
