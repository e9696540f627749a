import type { Topic } from '@kontor/contracts';
import type { BusPort } from '../bus/bus-port.js';
import type { DedicatedConnection } from '../ports.js';
import type { Leadership } from './relay-session.js';

/**
 * Knows how many partitions each topic has, which an operator may have raised. One that is made anew gets as many: consumers pass over what
 * they had read by the position of its partition, and an aggregate would be in another one.
 */
export class TopicPartitions {
  private readonly known = new Map<Topic, number>();

  constructor(
    private readonly session: DedicatedConnection,
    private readonly lead: Leadership,
    private readonly bus: BusPort,
    private readonly ownTopics: readonly Topic[],
  ) {}

  async load(): Promise<void> {
    const { rows } = await this.session.query(
      'SELECT topic, partitions FROM published_topic WHERE partitions IS NOT NULL',
    );
    for (const { topic, partitions } of rows as { topic: Topic; partitions: number }[])
      this.known.set(topic, partitions);
  }

  /** After topics were asked for their ends, and before anything is published to them. */
  async keep(): Promise<void> {
    const now = this.bus.partitions?.();
    if (!now) return;
    const known = (topic: Topic): number => this.known.get(topic) ?? 0;
    const seen = this.ownTopics.filter((topic) => now.has(topic));
    const narrow = seen.filter((topic) => now.get(topic)! < known(topic));
    if (narrow.length > 0) await this.bus.widen!(new Map(narrow.map((topic) => [topic, known(topic)])));
    const wide = seen.filter((topic) => now.get(topic)! > known(topic));
    if (wide.length > 0)
      await this.store(
        wide,
        wide.map((topic) => now.get(topic)!),
      );
  }

  private async store(topics: readonly Topic[], partitions: readonly number[]): Promise<void> {
    const { rows } = await this.session.query(
      `UPDATE published_topic p SET partitions = t.partitions
       FROM unnest($1::text[], $2::integer[]) AS t (topic, partitions), relay_state
       WHERE p.topic = t.topic AND leader_epoch = $3
       RETURNING p.topic, p.partitions`,
      [topics, partitions, this.lead.epoch.toString()],
    );
    for (const { topic, partitions: n } of rows as { topic: Topic; partitions: number }[]) this.known.set(topic, n);
  }
}
