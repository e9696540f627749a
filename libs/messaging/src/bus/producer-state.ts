import type { Topic } from '@kontor/contracts';
import type { LogPage, OutboxLog, OutboxRecord } from './bus-port.js';

/** What is known of one producer's log in this process. */
export interface ProducerState {
  log: OutboxLog;
  /** Everything up to here is complete: no row can appear at or below it any more. */
  stableUpTo: bigint;
  recent: LogPage[];
}

/** Records of one topic in `(after, stableUpTo]` from memory, or null when memory does not reach back that far. */
export function fromMemory(producer: ProducerState, topic: Topic, after: bigint): OutboxRecord[] | null {
  const oldest = producer.recent[0];
  if (!oldest || oldest.after > after) return null;
  return producer.recent.flatMap((page) =>
    page.upTo > after ? page.records.filter((record) => record.id > after && record.topic === topic) : [],
  );
}
