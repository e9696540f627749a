import type { EventEnvelope } from '@kontor/contracts';
import type { ConsumerHandler } from '../consumer/consumer-handler.js';

export const MAX_CHUNK = 500;
const SLOT_MS = 15 * 60_000;

/** Events that one call of one handler gets: one tenant, one local day in every time zone. */
export interface Chunk {
  readonly handler: ConsumerHandler;
  readonly tenantId: string;
  readonly events: readonly EventEnvelope[];
}

const aggregateOf = (event: EventEnvelope): string => `${event.tenantId}/${event.topic}/${event.aggregateId}`;
/** A quarter of an hour: days of all zones begin on one, so a chunk's `now` lies on the day of each of its events. */
const slotOf = (event: EventEnvelope): number => Math.floor(Date.parse(event.effectiveAt) / SLOT_MS);

/** What cannot be looked at is the handler's to refuse. */
function concerns(handler: ConsumerHandler | undefined, event: EventEnvelope): boolean {
  try {
    return handler !== undefined && (handler.concerns?.(event) ?? true);
  } catch {
    return true;
  }
}

/**
 * Cuts a lane's events into calls. Events of different aggregates may overtake each other, so that batches grow;
 * those of one aggregate never do.
 */
export function planChunks(events: readonly EventEnvelope[], handlers: ReadonlyMap<string, ConsumerHandler>): Chunk[] {
  const chunks: Chunk[] = [];
  let rest = events.filter((event) => concerns(handlers.get(event.type), event));
  while (rest.length > 0) {
    const first = rest[0]!;
    const handler = handlers.get(first.type)!;
    const limit = handler.batch ? MAX_CHUNK : 1;
    const taken: EventEnvelope[] = [];
    const left: EventEnvelope[] = [];
    const overtaken = new Set<string>();
    for (const event of rest) {
      const fits =
        taken.length < limit &&
        event.tenantId === first.tenantId &&
        handlers.get(event.type) === handler &&
        slotOf(event) === slotOf(first);
      if (fits && !overtaken.has(aggregateOf(event))) {
        taken.push(event);
      } else {
        overtaken.add(aggregateOf(event));
        left.push(event);
      }
    }
    chunks.push({ handler, tenantId: first.tenantId, events: taken });
    rest = left;
  }
  return chunks;
}
