import type { Topic } from '@kontor/contracts';
import type { BusPort, OutboxRecord } from '../bus/bus-port.js';
import type { DedicatedConnection } from '../ports.js';
import { type Leadership, LostLead } from './relay-session.js';

/** What comes behind this place of the log was published to so many partitions. */
interface Width {
  readonly after: bigint;
  readonly partitions: number;
}

/**
 * Knows how many partitions each topic had for which part of the log: an operator may have raised their number. Consumers pass over what they
 * had read by the position of its partition, so that an event is published to the same one however often: also where its topic is made
 * anew, or the number was raised since.
 */
export class TopicPartitions {
  /** In the order of the log. */
  private readonly known = new Map<Topic, Width[]>();

  constructor(
    private readonly session: DedicatedConnection,
    private readonly lead: Leadership,
    private readonly bus: BusPort,
    private readonly ownTopics: readonly Topic[],
  ) {}

  async load(): Promise<void> {
    const { rows } = await this.session.query(
      'SELECT topic, after, partitions FROM published_partitions ORDER BY after',
    );
    for (const { topic, after, partitions } of rows as { topic: Topic; after: string; partitions: number }[])
      this.add(topic, { after: BigInt(after), partitions });
  }

  /** After topics were asked for their ends, and before anything behind `publishedUpTo` is published to them. */
  async keep(publishedUpTo: bigint): Promise<void> {
    const now = this.bus.partitions?.();
    if (!now) return;
    const known = (topic: Topic): number => this.known.get(topic)?.at(-1)?.partitions ?? 0;
    const seen = this.ownTopics.filter((topic) => now.has(topic));
    const narrow = seen.filter((topic) => now.get(topic)! < known(topic));
    if (narrow.length > 0) await this.bus.widen!(new Map(narrow.map((topic) => [topic, known(topic)])));
    const wide = seen.filter((topic) => now.get(topic)! > known(topic));
    if (wide.length > 0) await this.store(new Map(wide.map((topic) => [topic, now.get(topic)!])), publishedUpTo);
  }

  /** Each among as many partitions as its topic had at its place of the log; what is published out of its place, as it has now. */
  placed(records: readonly OutboxRecord[]): readonly OutboxRecord[] {
    return records.map((record) => {
      const widths = this.known.get(record.topic) ?? [];
      const width = record.released ? widths.at(-1) : (widths.findLast(({ after }) => after < record.id) ?? widths[0]);
      return width ? { ...record, partitions: width.partitions } : record;
    });
  }

  private add(topic: Topic, width: Width): void {
    this.known.set(topic, [...(this.known.get(topic) ?? []), width]);
  }

  /** Waits for the disk: what is published next cannot be found again without it. */
  private async store(partitions: ReadonlyMap<Topic, number>, after: bigint): Promise<void> {
    const { rows } = await this.session.query(
      `INSERT INTO published_partitions (topic, after, partitions) SELECT t.topic, $3, t.partitions
       FROM unnest($1::text[], $2::integer[]) AS t (topic, partitions), relay_state
       WHERE leader_epoch = $4 AND set_config('synchronous_commit', 'on', true) = 'on'
       ON CONFLICT (topic, after) DO UPDATE SET partitions = excluded.partitions
       RETURNING topic`,
      [[...partitions.keys()], [...partitions.values()], after.toString(), this.lead.epoch.toString()],
    );
    if (rows.length < partitions.size) throw new LostLead();
    for (const [topic, n] of partitions) this.add(topic, { after, partitions: n });
  }
}
