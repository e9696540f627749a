import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { newUlid, ulidToUuid } from '@kontor/kernel';
import { Database, type TenantTx } from '@kontor/persistence';
import { isItemError, type ItemError, readUsageEvent, type ReceivedEvent } from '../domain/read-usage-event.js';
import { FindCustomers } from './find-customers.js';

/** `ingested + duplicates + failed` is the number of items. */
export interface IngestResult {
  ingested: number;
  duplicates: number;
  failed: number;
  errors: ItemError[];
}

interface NewEvent extends ReceivedEvent {
  readonly customerId: string;
  readonly digest: string;
}

/** Takes usage events: each transactionId once per tenant for ever, whoever sends it again and however often. */
@Injectable()
export class IngestEvents {
  constructor(
    private readonly database: Database,
    private readonly findCustomers: FindCustomers,
  ) {}

  async execute(tenantId: string, items: readonly unknown[]): Promise<IngestResult> {
    return this.database.tenant(tenantId, async (tx) => {
      const read = items.map((item, index) => readUsageEvent(item, index, tx.now));
      const errors: ItemError[] = read.filter(isItemError);
      const events = read.filter((result): result is ReceivedEvent => !isItemError(result));
      const customers = await this.findCustomers.execute(tx, events.map((event) => event.customerReference)); // prettier-ignore

      const fresh = new Map<string, NewEvent>();
      let known = 0;
      for (const event of events) {
        const customerId = customers.get(event.customerReference);
        if (customerId === undefined) {
          const { index, transactionId } = event;
          errors.push({ index, transactionId, code: 'unknown_customer', message: `There is no customer ${event.customerReference}.` });
          continue;
        }
        known++;
        if (!fresh.has(event.transactionId))
          fresh.set(event.transactionId, { ...event, customerId, digest: digestOf(tenantId, event.transactionId) });
      }
      const ingested = await insertEvents(tx, [...fresh.values()]);
      errors.sort((a, b) => a.index - b.index);
      return { ingested, duplicates: known - ingested, failed: errors.length, errors };
    });
  }
}

/** First 16 bytes of SHA-256 in UUID form: a key of one short size, whatever the transactionId. */
function digestOf(tenantId: string, transactionId: string): string {
  const hex = createHash('sha256').update(`${tenantId}\n${transactionId}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}

/** One statement; returns how many were new. Ordered by the unique key, so that two requests with the same events never deadlock. */
async function insertEvents(tx: TenantTx, events: readonly NewEvent[]): Promise<number> {
  if (events.length === 0) return 0;
  const rows = events.map((event) => ({ ...event, id: ulidToUuid(newUlid()) })).sort((a, b) => (a.digest < b.digest ? -1 : 1));
  const inserted = await tx.query(
    `INSERT INTO usage_event (tenant_id, id, digest, transaction_id, event_name, customer_id, occurred_at, properties, created_at)
     SELECT $1, e.id, e.digest, e.transaction_id, e.event_name, e.customer_id, e.occurred_at, e.properties, $2
     FROM unnest($3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::uuid[], $8::timestamptz[], $9::jsonb[])
       WITH ORDINALITY AS e (id, digest, transaction_id, event_name, customer_id, occurred_at, properties, n)
     ORDER BY e.n
     ON CONFLICT (digest) DO NOTHING RETURNING 1`,
    [
      tx.tenantId,
      tx.now,
      rows.map((row) => row.id),
      rows.map((row) => row.digest),
      rows.map((row) => row.transactionId),
      rows.map((row) => row.eventName),
      rows.map((row) => row.customerId),
      rows.map((row) => row.occurredAt),
      rows.map((row) => JSON.stringify(row.properties)),
    ],
  );
  return inserted.length;
}
