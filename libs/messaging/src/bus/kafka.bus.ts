import type { Admin, Kafka as KafkaClient, Producer } from 'kafkajs';
import { partitionsOf, type Topic } from '@kontor/contracts';
import { onDemand } from '@kontor/kernel';
import type { MessagingLogger } from '../ports.js';
import { silentLogger } from '../ports.js';
import {
  BusRefusal,
  type BusPort,
  type LogPage,
  type OutboxRecord,
  type RunningSubscription,
  type Subscription,
} from './bus-port.js';
import { withEveryCodec } from './compression/every-codec.js';
import { envelopeText } from './envelope.js';
import { withoutHalfAnswers } from './kafkajs-connections.js';
import { withoutNegativeTimers } from './kafkajs-timers.js';
import { KafkaSubscription } from './kafka-subscription.js';
import { lacksTopic } from './lacks-topic.js';

/** Loaded with the first bus: a system in one process has none of this kind. */
const library = onDemand<typeof import('kafkajs')>('kafkajs', import.meta.url);

export interface KafkaBusOptions {
  readonly brokers: readonly string[];
  readonly clientId: string;
  readonly logger?: MessagingLogger;
  /** Copies of each partition; 1 on a single broker, 3 in production. */
  readonly replicationFactor?: number;
  /** Topics that one process works on at a time; each may hold one database connection. */
  readonly concurrency?: number;
  readonly sessionTimeoutMs?: number;
  readonly heartbeatMs?: number;
  /** How long a broker that accepts and does not answer is waited for. */
  readonly requestTimeoutMs?: number;
  /** Put before every topic and group, so that tests can share a broker. */
  readonly prefix?: string;
}

/** A partition's batch may be as large as a relay's page. */
const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;
/** Of an event itself. INVALID_TIMESTAMP is none of them: it is of a clock, and events wait until that is set right. */
const REFUSED = new Set(['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE', 'INVALID_RECORD', 'CORRUPT_MESSAGE']);

/** Apache Kafka through kafkajs: acks from all replicas, one request in flight, offsets committed by hand. */
export class KafkaBus implements BusPort {
  readonly kind = 'kafka';
  private readonly kafka: KafkaClient;
  private readonly options: Required<Omit<KafkaBusOptions, 'brokers' | 'clientId'>>;
  private readonly subscriptions = new Set<KafkaSubscription>();
  private producer: Promise<Producer> | undefined;
  private admin: Promise<Admin> | undefined;
  /** Topics that were asked about: one that is missing keeps kafkajs from knowing the others. */
  private readonly asked = new Set<Topic>();
  private closed = false;

  constructor(options: KafkaBusOptions) {
    this.options = {
      logger: silentLogger,
      replicationFactor: 1,
      concurrency: 3,
      // So long a dead member keeps its partitions from others, and its group from welcoming its successor.
      sessionTimeoutMs: 10_000,
      heartbeatMs: 3_000,
      requestTimeoutMs: 15_000,
      prefix: '',
      ...stripUndefined(options),
    };
    withoutNegativeTimers();
    withoutHalfAnswers();
    withEveryCodec();
    const { Kafka, logLevel } = library();
    this.kafka = new Kafka({
      brokers: [...options.brokers],
      clientId: options.clientId,
      logLevel: logLevel.NOTHING,
      connectionTimeout: 3_000,
      requestTimeout: this.options.requestTimeoutMs,
      enforceRequestTimeout: true,
      retry: { initialRetryTime: 100, maxRetryTime: 2_000, retries: 3 },
    });
  }

  /** Creates missing topics with their final partition count; waits while the broker is away. */
  async prepare(topics: readonly Topic[]): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      const admin = this.kafka.admin();
      try {
        await admin.connect();
        await this.createTopics(admin, topics);
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
  private async remake(topics: readonly Topic[]): Promise<void> {
    const admin = this.kafka.admin();
    try {
      await admin.connect();
      await this.createTopics(admin, [...new Set(topics)]);
    } catch (error) {
      this.options.logger.warn({ error: String(error) }, 'topics are missing and cannot be made yet');
    } finally {
      await admin.disconnect().catch(() => undefined);
    }
  }

  private async createTopics(admin: Admin, topics: readonly Topic[]): Promise<void> {
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

  attachLog(): void {
    // Kafka keeps the log.
  }

  async publish(page: LogPage): Promise<void> {
    if (page.records.length === 0) return;
    const byTopic = new Map<string, { key: string; value: string }[]>();
    for (const record of page.records) {
      const topic = this.options.prefix + record.topic;
      const messages = byTopic.get(topic) ?? [];
      byTopic.set(topic, messages);
      messages.push({ key: record.aggregateId, value: written(record) });
    }
    const producer = await this.connectedProducer();
    try {
      await producer.sendBatch({
        acks: -1,
        timeout: Math.min(10_000, this.options.requestTimeoutMs),
        topicMessages: [...byTopic].map(([topic, messages]) => ({ topic, messages })),
      });
    } catch (error) {
      if (isRefusal(error)) throw new BusRefusal(String(error));
      this.giveUp(producer);
      throw error;
    }
  }

  /** A link may have been lost in silence: kafkajs would go on waiting on it, page after page. */
  private giveUp(producer: Producer): void {
    this.producer = undefined;
    void producer.disconnect().catch(() => undefined);
  }

  topicEnds(topics: readonly Topic[]): Promise<ReadonlyMap<Topic, bigint>> {
    for (const topic of topics) this.asked.add(topic);
    return this.asAdmin((admin) =>
      this.endsOf(admin, topics).catch(async (error: unknown) => {
        // Somebody deleted it, or the broker came back empty.
        if (!lacksTopic(error)) throw error;
        await this.createTopics(admin, [...this.asked]);
        return this.endsOf(admin, topics);
      }),
    );
  }

  cluster(): Promise<string> {
    return this.asAdmin(async (admin) => (await admin.describeCluster()).clusterId);
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
      return [topic, partitions.reduce((sum, { high }) => sum + BigInt(high), 0n)];
    });
    return new Map(await Promise.all(ends));
  }

  private async firstsOf(admin: Admin, topics: readonly Topic[]): Promise<ReadonlyMap<string, bigint>> {
    const firsts = topics.map(async (topic) => {
      const partitions = await admin.fetchTopicOffsets(this.options.prefix + topic);
      return partitions.map(({ partition, low }): [string, bigint] => [`${topic}/${partition}`, BigInt(low)]);
    });
    return new Map((await Promise.all(firsts)).flat());
  }

  private connectedAdmin(): Promise<Admin> {
    if (this.closed) throw new Error('the bus is closed');
    return (this.admin ??= (async () => {
      const admin = this.kafka.admin();
      await admin.connect();
      return admin;
    })());
  }

  private connectedProducer(): Promise<Producer> {
    this.producer ??= (async () => {
      const producer = this.kafka.producer({
        allowAutoTopicCreation: false,
        createPartitioner: library().Partitioners.DefaultPartitioner,
        idempotent: false,
        maxInFlightRequests: 1,
        // The relay tries again, after a look at the topic: it may be another one by then.
        retry: { retries: 0 },
      });
      await producer.connect();
      return producer;
    })();
    this.producer.catch(() => (this.producer = undefined));
    return this.producer;
  }

  async subscribe(subscription: Subscription): Promise<RunningSubscription> {
    const { concurrency, sessionTimeoutMs, heartbeatMs, prefix, logger } = this.options;
    const running = new KafkaSubscription(this.kafka, subscription, {
      concurrency,
      sessionTimeoutMs,
      heartbeatMs,
      prefix,
      logger,
      remakeTopics: () => this.remake(subscription.topics),
      committed: () => this.committedOf(subscription),
      firsts: () => this.asAdmin((admin) => this.firstsOf(admin, subscription.topics)),
    });
    this.subscriptions.add(running);
    await running.start();
    return {
      stop: async () => {
        await running.stop();
        this.subscriptions.delete(running);
      },
      stall: () => running.stall(),
      compareAgain: () => running.compareAgain(),
    };
  }

  /** Where the group stands; lanes that it has not begun are left out. */
  private async committedOf({ group, topics }: Subscription): Promise<ReadonlyMap<string, bigint>> {
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

  async close(): Promise<void> {
    this.closed = true;
    await Promise.all([...this.subscriptions].map((subscription) => subscription.stop()));
    await (await this.producer?.catch(() => undefined))?.disconnect().catch(() => undefined);
    this.producer = undefined;
    await (await this.admin?.catch(() => undefined))?.disconnect().catch(() => undefined);
    this.admin = undefined;
  }
}

/** @throws BusRefusal when it cannot be: no broker is asked about it, and what comes behind it goes on. */
function written(record: OutboxRecord): string {
  try {
    return envelopeText(record);
  } catch (error) {
    throw new BusRefusal(String(error));
  }
}

function isRefusal(error: unknown): boolean {
  const { KafkaJSNonRetriableError, KafkaJSProtocolError } = library();
  for (let cause: unknown = error; cause; cause = (cause as { cause?: unknown }).cause) {
    if (cause instanceof KafkaJSProtocolError && REFUSED.has(cause.type)) return true;
    if (cause instanceof KafkaJSNonRetriableError && REFUSED.has((cause as { type?: string }).type ?? '')) return true;
  }
  return false;
}

const stripUndefined = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, v]) => v !== undefined)) as T;
