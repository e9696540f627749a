import { partitionsOf, type Topic } from '@kontor/contracts';
import type { Admin, Kafka } from 'kafkajs';
import type { MessagingLogger } from '../ports.js';
import type { Subscription } from './bus-port.js';
import { lacksTopic } from './lacks-topic.js';

export interface KafkaTopicsOptions {
  readonly logger: MessagingLogger;
  readonly replicationFactor: number;
  readonly prefix: string;
}

/** A partition's batch may be as large as a relay's page. */
const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;

/** What brokers know of our topics, and of the groups that read them; names are without the prefix. */
export class KafkaTopics {
  private admin: Promise<Admin> | undefined;
  /** Topics that were asked about: one that is missing keeps kafkajs from knowing the others. */
  private readonly asked = new Set<Topic>();
  /** How many partitions topics had when they were last asked for their ends. */
  readonly partitions = new Map<Topic, number>();
  private closed = false;

  constructor(
    private readonly kafka: Kafka,
    private readonly options: KafkaTopicsOptions,
  ) {}

  /** Creates missing topics with their final partition count; waits while the broker is away. */
  async prepare(topics: readonly Topic[]): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      const admin = this.kafka.admin();
      try {
        await admin.connect();
        await this.create(admin, topics);
        return;
      } catch (error) {
        if (this.closed) throw error;
        this.options.logger.warn({ error: String(error) }, 'waiting for Kafka');
        await new Promise((resolve) => setTimeout(resolve, Math.min(200 * 2 ** attempt, 2_000)));
      } finally {
        await admin.disconnect().catch(() => undefined);
      }
    }
  }

  /** Makes topics that were lost while this process runs; what fails is tried again with what needed them. */
  async remake(topics: readonly Topic[]): Promise<void> {
    const admin = this.kafka.admin();
    try {
      await admin.connect();
      await this.create(admin, [...new Set(topics)]);
    } catch (error) {
      this.options.logger.warn({ error: String(error) }, 'topics are missing and cannot be made yet');
    } finally {
      await admin.disconnect().catch(() => undefined);
    }
  }

  /** Where each topic ends, as the sum of its partitions; one that is missing is made again. */
  ends(topics: readonly Topic[]): Promise<ReadonlyMap<Topic, bigint>> {
    for (const topic of topics) this.asked.add(topic);
    return this.asAdmin((admin) =>
      this.endsOf(admin, topics).catch(async (error: unknown) => {
        // Somebody deleted it, or the broker came back empty.
        if (!lacksTopic(error)) throw error;
        await this.create(admin, [...this.asked]);
        return this.endsOf(admin, topics);
      }),
    );
  }

  /** The first offset that is kept, by lane (`topic/partition`). */
  firsts(topics: readonly Topic[]): Promise<ReadonlyMap<string, bigint>> {
    return this.asAdmin(async (admin) => {
      const firsts = topics.map(async (topic) => {
        const partitions = await admin.fetchTopicOffsets(this.options.prefix + topic);
        return partitions.map(({ partition, low }): [string, bigint] => [`${topic}/${partition}`, BigInt(low)]);
      });
      return new Map((await Promise.all(firsts)).flat());
    });
  }

  /** Where the group stands; lanes that it has not begun are left out. */
  async committed({ group, topics }: Subscription): Promise<ReadonlyMap<string, bigint>> {
    const { prefix } = this.options;
    const asked = { groupId: prefix + group, topics: topics.map((topic) => prefix + topic) };
    const found = await this.asAdmin((admin) => admin.fetchOffsets(asked));
    const lanes = found.flatMap(({ topic, partitions }) =>
      partitions.map(({ partition, offset }): [string, bigint] => [
        `${topic.slice(prefix.length)}/${partition}`,
        BigInt(offset),
      ]),
    );
    return new Map(lanes.filter(([, offset]) => offset >= 0n));
  }

  async widen(topics: ReadonlyMap<Topic, number>): Promise<void> {
    const topicPartitions = [...topics].map(([topic, count]) => ({ topic: this.options.prefix + topic, count }));
    await this.asAdmin((admin) => admin.createPartitions({ topicPartitions }));
    for (const [topic, count] of topics) this.partitions.set(topic, count);
  }

  cluster(): Promise<string> {
    return this.asAdmin(async (admin) => (await admin.describeCluster()).clusterId);
  }

  /** Ends `prepare`, which waits for brokers. */
  stopWaiting(): void {
    this.closed = true;
  }

  async close(): Promise<void> {
    this.closed = true;
    await (await this.admin?.catch(() => undefined))?.disconnect().catch(() => undefined);
    this.admin = undefined;
  }

  private async create(admin: Admin, topics: readonly Topic[]): Promise<void> {
    const existing = new Set(await admin.listTopics());
    const missing = topics.filter((topic) => !existing.has(this.options.prefix + topic));
    if (missing.length === 0) return;
    await admin
      .createTopics({
        waitForLeaders: true,
        topics: missing.map((topic) => ({
          topic: this.options.prefix + topic,
          numPartitions: partitionsOf(topic),
          replicationFactor: this.options.replicationFactor,
          configEntries: [
            { name: 'max.message.bytes', value: String(MAX_MESSAGE_BYTES) },
            // Whatever the broker does with other topics: by time alone.
            { name: 'cleanup.policy', value: 'delete' },
            { name: 'retention.ms', value: String(30 * 86_400_000) },
            { name: 'retention.bytes', value: '-1' },
            // By the broker's time: it refuses what a machine sends that is an hour ahead, and soon deletes what is of weeks ago.
            { name: 'message.timestamp.type', value: 'LogAppendTime' },
            { name: 'min.insync.replicas', value: this.options.replicationFactor > 2 ? '2' : '1' },
          ],
        })),
      })
      .catch((error: unknown) => {
        // Another service was faster.
        if (!String(error).includes('already exists')) throw error;
      });
  }

  /** Through a connection that is given up when something fails. */
  private async asAdmin<T>(work: (admin: Admin) => Promise<T>): Promise<T> {
    try {
      return await work(await this.connectedAdmin());
    } catch (error) {
      const admin = this.admin;
      this.admin = undefined;
      await (await admin?.catch(() => undefined))?.disconnect().catch(() => undefined);
      throw error;
    }
  }

  private async endsOf(admin: Admin, topics: readonly Topic[]): Promise<ReadonlyMap<Topic, bigint>> {
    const ends = topics.map(async (topic): Promise<[Topic, bigint]> => {
      const partitions = await admin.fetchTopicOffsets(this.options.prefix + topic);
      this.partitions.set(topic, partitions.length);
      return [topic, partitions.reduce((sum, { high }) => sum + BigInt(high), 0n)];
    });
    return new Map(await Promise.all(ends));
  }

  private connectedAdmin(): Promise<Admin> {
    if (this.closed) throw new Error('the bus is closed');
    return (this.admin ??= (async () => {
      const admin = this.kafka.admin();
      await admin.connect();
      return admin;
    })());
  }
}
