import { hash } from 'node:crypto';
import {
  aheadError,
  anonymizedCustomerError,
  type ItemError,
  type ReceivedEvent,
  unknownCustomerError,
} from '../domain/event-store/read-usage-event.js';
import type { CountedEvent } from '../domain/metrics/counted-event.js';
import type { CopyBuffer } from './copy-buffer.js';
import { EventIds } from './event-ids.js';
import type { IngestResult } from './ingest-request.js';
import type { CustomerKey, PreparedRequest, TenantState } from './tenant-state.js';

const DIGEST_CHARACTERS = 16;
/** Positions of rows fit into the bits that the sort key leaves. */
const MAX_ROWS = 8192;

/** One event that is to be stored: the first of its transactionId in the batch. */
interface Row {
  readonly event: ReceivedEvent;
  readonly state: TenantState;
  readonly customer: CustomerKey;
  readonly createdAtMs: number;
  /** First 16 bytes of SHA-256 over tenant and transactionId, a character each. */
  readonly digest: string;
  /** Which request of the batch it came with. */
  readonly from: number;
}

/** A row as rollups count it. Its id is made when it is asked for: mostly it is not. */
class CountedRow implements CountedEvent {
  readonly eventName: string;
  readonly customerId: string;
  readonly occurredAt: Date;
  readonly properties: Row['event']['properties'];

  constructor(
    private readonly batch: EventBatch,
    private readonly position: number,
    { event, customer }: Row,
  ) {
    this.eventName = event.eventName;
    this.customerId = customer.id;
    this.occurredAt = new Date(event.occurredAtMs);
    this.properties = event.properties;
  }

  get id(): string {
    return this.batch.idOf(this.position);
  }
}

/** Requests that are written together: their rows, each transactionId once, and the result of each request. */
export class EventBatch {
  readonly rows: Row[] = [];
  readonly states: readonly TenantState[];
  private readonly ids: EventIds;
  private readonly outcomes: { known: number; errors: ItemError[] }[] = [];

  /** `arrivedAtMs` is the machine's time and makes the ids; `nowMs` is the time of tenants whose clock is real. */
  constructor(
    readonly prepared: readonly PreparedRequest[],
    readonly arrivedAtMs: number,
    nowMs: number,
  ) {
    this.ids = new EventIds(arrivedAtMs);
    this.states = [...new Set(prepared.map(({ state }) => state))].sort((a, b) => (a.tenantId < b.tenantId ? -1 : 1));
    const seen = new Set<string>();
    for (let from = 0; from < prepared.length; from++) this.add(prepared[from]!, from, nowMs, seen);
  }

  private add({ request, state, unknown }: PreparedRequest, from: number, nowMs: number, seen: Set<string>): void {
    const createdAtMs = state.frozenAtMs ?? nowMs;
    const result = { known: 0, errors: [...request.errors] };
    this.outcomes.push(result);
    const prefix = `${state.tenantId}\n`;
    for (const event of request.events) {
      const customer = state.customers.get(event.customerReference);
      const error =
        customer && !unknown.has(event.customerReference)
          ? (aheadError(event, createdAtMs) ?? (customer.isAnonymized ? anonymizedCustomerError(event) : undefined))
          : unknownCustomerError(event);
      if (error || !customer) {
        if (error) result.errors.push(error);
        continue;
      }
      result.known++;
      const digest = hash('sha256', prefix + event.transactionId, 'binary').slice(0, DIGEST_CHARACTERS);
      if (seen.has(digest)) continue;
      seen.add(digest);
      this.rows.push({ event, state, customer, createdAtMs, digest, from });
    }
  }

  /**
   * The rows of both tables for COPY: keys in their order, so that two batches with the same events wait and never
   * deadlock.
   */
  encode(buffer: CopyBuffer): void {
    buffer.begin();
    for (const position of this.byDigest()) {
      const { digest, state } = this.rows[position]!;
      buffer.row(2, 0);
      buffer.uuidOfLatin1(digest);
      buffer.uuid(state.tenantBytes);
    }
    buffer.end();
    buffer.begin();
    for (let position = 0; position < this.rows.length; position++) {
      const { event, state, customer, createdAtMs } = this.rows[position]!;
      const properties = JSON.stringify(event.properties);
      buffer.row(8, event.transactionId.length + event.eventName.length + properties.length);
      buffer.uuid(state.tenantBytes);
      buffer.uuid(this.ids.bytesOf(position));
      buffer.uuid(customer.bytes);
      buffer.instant(event.occurredAtMs);
      buffer.instant(createdAtMs);
      buffer.text(event.transactionId);
      buffer.text(event.eventName);
      buffer.jsonb(properties);
    }
    buffer.end();
  }

  /** Positions of the rows, by the leading 39 bits of their digests. */
  byDigest(): Float64Array {
    const keys = new Float64Array(this.rows.length);
    for (let position = 0; position < keys.length; position++) {
      const { digest } = this.rows[position]!;
      const [a, b] = [
        digest.charCodeAt(0) * 0x1_0000 + digest.charCodeAt(1) * 0x100 + digest.charCodeAt(2),
        digest.charCodeAt(3) * 0x1_0000 + digest.charCodeAt(4) * 0x100 + digest.charCodeAt(5),
      ];
      keys[position] = (a * 0x8000 + (b >>> 9)) * MAX_ROWS + position;
    }
    keys.sort();
    for (let i = 0; i < keys.length; i++) keys[i] = keys[i]! % MAX_ROWS;
    return keys;
  }

  idOf(position: number): string {
    return this.ids.textOf(position);
  }

  /** What counts of a tenant's rows; of all of them unless `ids` names those that were new. */
  eventsOf(state: TenantState, ids?: ReadonlySet<string>): CountedEvent[] {
    const events: CountedEvent[] = [];
    this.rows.forEach((row, position) => {
      if (row.state !== state || (ids && !ids.has(this.idOf(position)))) return;
      events.push(new CountedRow(this, position, row));
    });
    return events;
  }

  /** The result of each request, in their order; of all rows unless `ids` names those that were new. */
  results(ids?: ReadonlySet<string>): IngestResult[] {
    const ingested = new Array<number>(this.prepared.length).fill(0);
    this.rows.forEach((row, position) => {
      if (!ids || ids.has(this.idOf(position))) ingested[row.from]!++;
    });
    return this.outcomes.map(({ known, errors }, from) => ({
      ingested: ingested[from]!,
      duplicates: known - ingested[from]!,
      failed: errors.length,
      errors: errors.sort((a, b) => a.index - b.index),
    }));
  }
}
