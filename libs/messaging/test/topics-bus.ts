import type { Topic } from '@kontor/contracts';
import { type BusPort, BusRefusal, type LogPage, type OutboxRecord } from '../src/index.js';

/** A bus with topics that can be lost, and that notes what they hold. */
export class TopicsBus implements BusPort {
  readonly kind = 'kafka';
  readonly held = new Map<Topic, OutboxRecord[]>();
  /** How often it was asked which cluster it is. */
  asked = 0;
  /** Called before a page is taken; what it throws is the bus's answer. */
  before: (page: LogPage) => void = () => undefined;
  refuses: (record: OutboxRecord) => boolean = () => false;

  constructor(private readonly name = 'first') {}

  async prepare(): Promise<void> {}
  attachLog(): void {}

  async publish(page: LogPage): Promise<void> {
    if (page.records.length === 0) return;
    this.before(page);
    if (page.records.some(this.refuses)) throw new BusRefusal('MESSAGE_TOO_LARGE');
    for (const record of page.records) this.held.set(record.topic, [...(this.held.get(record.topic) ?? []), record]);
  }

  async topicEnds(topics: readonly Topic[]): Promise<ReadonlyMap<Topic, bigint>> {
    return new Map(topics.map((topic) => [topic, BigInt(this.held.get(topic)?.length ?? 0)]));
  }

  async cluster(): Promise<string> {
    this.asked++;
    return this.name;
  }

  async subscribe() {
    return { stop: async () => undefined, stall: () => null };
  }

  async close(): Promise<void> {}

  lose(topic: Topic): void {
    this.held.delete(topic);
  }

  /** `a1`, `b1`, `a2`: aggregates and their sequences, in order. */
  events(topic: Topic): string[] {
    return (this.held.get(topic) ?? []).map(({ aggregateId, aggregateSeq }) => aggregateId + aggregateSeq);
  }
}
