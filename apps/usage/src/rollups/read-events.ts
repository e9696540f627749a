import { invariant } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import { earliestArrival, idFloor, livesInRealTime } from '../partitions/arrival.js';

/** The events of one name, of a customer or of all, in `[from, to)`. */
export interface EventSpan {
  readonly eventName: string;
  readonly customerId: string | null;
  /** Milliseconds. */
  readonly from: number;
  readonly to: number;
}

export interface RawEvent {
  /** Index of the span that it was found by. */
  readonly n: number;
  readonly id: string;
  readonly eventName: string;
  readonly customerId: string;
  readonly occurredAt: Date;
  readonly properties: Record<string, unknown>;
}

/** The beginning of time, as far as events may claim. */
export const EARLIEST = -62_135_596_800_000;
const PAGE = 5_000;
const ZERO_ID = '00000000-0000-0000-0000-000000000000';
let cursors = 0;

/**
 * Reads what counts of any number of spans by two statements at most, page by page: memory does not grow with the
 * events.
 */
export async function readEvents(
  tx: TenantTx,
  spans: readonly EventSpan[],
  visit: (event: RawEvent) => void,
): Promise<void> {
  const numbered = spans.map((span, n) => ({ ...span, n })).filter((span) => span.from < span.to);
  const floor = await arrivalFloor(tx, numbered);
  await read(
    tx,
    floor,
    numbered.filter((span) => span.customerId !== null),
    'e.customer_id = s.customer_id AND',
    visit,
  );
  await read(
    tx,
    floor,
    numbered.filter((span) => span.customerId === null),
    '',
    visit,
  );
}

/**
 * Leaves lie by arrival: in real time nothing occurred long after it arrived, so those before the period stay closed.
 */
async function arrivalFloor(tx: TenantTx, spans: readonly EventSpan[]): Promise<string> {
  const from = spans.reduce((earliest, span) => Math.min(earliest, span.from), Infinity);
  if (from === Infinity || from <= 0 || !(await livesInRealTime(tx))) return ZERO_ID;
  return idFloor(earliestArrival(new Date(from)));
}

type Numbered = EventSpan & { readonly n: number };

async function read(
  tx: TenantTx,
  floor: string,
  spans: readonly Numbered[],
  ofCustomer: string,
  visit: (event: RawEvent) => void,
): Promise<void> {
  if (spans.length === 0) return;
  const name = `usage_events_${++cursors}`;
  await tx.query(
    `DECLARE ${name} NO SCROLL CURSOR FOR
     SELECT s.n, e.id, e.event_name AS "eventName", e.customer_id AS "customerId", e.occurred_at AS "occurredAt",
       e.properties
     FROM unnest($2::int[], $3::text[], $4::uuid[], $5::timestamptz[], $6::timestamptz[])
       AS s (n, event_name, customer_id, lo, hi)
     CROSS JOIN LATERAL (
       SELECT *
       FROM usage_event e
       WHERE e.tenant_id = $1 AND ${ofCustomer} e.event_name = s.event_name
         AND e.occurred_at >= s.lo AND e.occurred_at < s.hi AND e.id >= $7 AND e.voided_at IS NULL OFFSET 0) e`,
    [
      tx.tenantId,
      spans.map((span) => span.n),
      spans.map((span) => span.eventName),
      spans.map((span) => span.customerId),
      spans.map((span) => instant(span.from)),
      spans.map((span) => instant(span.to)),
      floor,
    ],
  );
  for (;;) {
    const page = await tx.query<RawEvent>(`FETCH ${PAGE} FROM ${name}`);
    page.forEach(visit);
    if (page.length < PAGE) break;
  }
  await tx.query(`CLOSE ${name}`);
}

export function instant(at: number): string {
  if (at <= EARLIEST) return '-infinity';
  const date = new Date(at);
  invariant(!Number.isNaN(date.getTime()), 'an instant of a period is a date');
  return date.getUTCFullYear() > 9999 ? 'infinity' : date.getUTCFullYear() < 1 ? '-infinity' : date.toISOString();
}
