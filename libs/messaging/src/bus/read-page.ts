import type { EventEnvelope, Topic } from '@kontor/contracts';
import type { EachBatchPayload } from 'kafkajs';
import { readEnvelope, type Unreadable } from '../inbox/read-envelope.js';
import type { Consumed } from './bus-port.js';

/** Messages that are dealt with at once, at most. */
export const PAGE = 500;

/** A stretch of a lane. */
export interface Page {
  readonly lane: string;
  /** As Kafka knows them. */
  readonly topic: string;
  readonly partition: number;
  /** Offsets of its first message and its last. */
  readonly first: string;
  readonly last: string;
  readonly events: EventEnvelope[];
  /** The same events' places. */
  readonly consumed: Consumed[];
  readonly unreadable: Unreadable[];
}

/** The page of a batch that begins at `start`: its events, and what lies between them that is none. */
export function readPage({ topic, partition, messages }: EachBatchPayload['batch'], start: number, lane: string): Page {
  const stretch = messages.slice(start, start + PAGE);
  const [first, last] = [stretch[0]!.offset, stretch.at(-1)!.offset];
  const page: Page = { lane, topic, partition, first, last, events: [], consumed: [], unreadable: [] };
  for (const { offset, value } of stretch) {
    const position = BigInt(offset);
    const text = value?.toString();
    try {
      const event = readEnvelope(text);
      const { tenantId, type, headers, eventId } = event;
      const logPosition = typeof headers.position === 'number' && !headers.released ? BigInt(headers.position) : null;
      page.events.push(event);
      page.consumed.push({
        position,
        logPosition,
        tenantId,
        type,
        ...(headers.released === true && { apart: eventId }),
      });
    } catch (error) {
      const owned = lane.slice(0, lane.lastIndexOf('/')) as Topic;
      page.unreadable.push({ lane, position, topic: owned, text: text ?? '', error: (error as Error).message });
    }
  }
  return page;
}
