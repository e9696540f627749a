import type { ISocketFactory, Kafka as KafkaClient, Producer, SASLOptions } from 'kafkajs';
import type { Topic } from '@kontor/contracts';
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
import { MEMBERSHIP } from './group-member.js';
import { KafkaSubscription } from './kafka-subscription.js';
import { KafkaTopics } from './kafka-topics.js';
import { placedAmong, type PlacedMessage } from './placed-among.js';

/** Loaded with the first bus: a system in one process has none of this kind. */
const library = onDemand<typeof import('kafkajs')>('kafkajs', import.meta.url);

/** How the brokers are reached. */
export interface KafkaConnection {
  readonly brokers: readonly string[];
  /** Encrypted, with a certificate by an authority that Node knows. */
  readonly ssl?: boolean;
  readonly sasl?: SASLOptions;
}

export interface KafkaBusOptions extends KafkaConnection {
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

/** Of an event itself. INVALID_TIMESTAMP is none of them: it is of a clock, and events wait until that is set right. */
const REFUSED = new Set(['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE', 'INVALID_RECORD', 'CORRUPT_MESSAGE']);

/** Apache Kafka through kafkajs: acks from all replicas, one request in flight, offsets committed by hand. */
export class KafkaBus implements BusPort {
  readonly kind = 'kafka';
  private readonly clientWith: (connections?: ISocketFactory) => KafkaClient;
  private readonly kafka: KafkaClient;
  private readonly options: Required<Omit<KafkaBusOptions, keyof KafkaConnection | 'clientId'>>;
  private readonly subscriptions = new Set<KafkaSubscription>();
  private readonly topics: KafkaTopics;
  private producer: Promise<Producer> | undefined;

  constructor(options: KafkaBusOptions) {
    this.options = {
      logger: silentLogger,
      replicationFactor: 1,
      concurrency: 3,
      ...MEMBERSHIP,
      requestTimeoutMs: 15_000,
      prefix: '',
      ...stripUndefined(options),
    };
    withoutNegativeTimers();
    withoutHalfAnswers();
    withEveryCodec();
    const { Kafka, logLevel } = library();
    this.clientWith = (socketFactory) =>
      new Kafka({
        ...clientConnection(options),
        clientId: options.clientId,
        logLevel: logLevel.NOTHING,
        connectionTimeout: 3_000,
        requestTimeout: this.options.requestTimeoutMs,
        enforceRequestTimeout: true,
        retry: { initialRetryTime: 100, maxRetryTime: 2_000, retries: 3 },
        ...(socketFactory && { socketFactory }),
      });
    this.kafka = this.clientWith();
    this.topics = new KafkaTopics(this.kafka, this.options);
  }

  prepare(topics: readonly Topic[]): Promise<void> {
    return this.topics.prepare(topics);
  }

  attachLog(): void {
    // Kafka keeps the log.
  }

  async publish(page: LogPage): Promise<void> {
    if (page.records.length === 0) return;
    const byTopic = new Map<string, PlacedMessage[]>();
    for (const record of page.records) {
      const topic = this.options.prefix + record.topic;
      const messages = byTopic.get(topic) ?? [];
      byTopic.set(topic, messages);
      messages.push({ key: record.aggregateId, value: written(record), partitions: record.partitions });
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
    return this.topics.ends(topics);
  }

  cluster(): Promise<string> {
    return this.topics.cluster();
  }

  partitions(): ReadonlyMap<Topic, number> {
    return this.topics.partitions;
  }

  /** A producer that has published before would go on with the partitions that it knows. */
  async widen(topics: ReadonlyMap<Topic, number>): Promise<void> {
    await this.topics.widen(topics);
    const producer = await this.producer?.catch(() => undefined);
    if (producer) this.giveUp(producer);
  }

  private connectedProducer(): Promise<Producer> {
    this.producer ??= (async () => {
      const producer = this.kafka.producer({
        allowAutoTopicCreation: false,
        createPartitioner: placedAmong(library().Partitioners.DefaultPartitioner),
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
    const running = new KafkaSubscription(this.clientWith, subscription, {
      concurrency,
      sessionTimeoutMs,
      heartbeatMs,
      prefix,
      logger,
      remakeTopics: () => this.topics.remake(subscription.topics),
      committed: () => this.topics.committed(subscription),
      firsts: () => this.topics.firsts(subscription.topics),
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

  async close(): Promise<void> {
    this.topics.stopWaiting();
    await Promise.all([...this.subscriptions].map((subscription) => subscription.stop()));
    await (await this.producer?.catch(() => undefined))?.disconnect().catch(() => undefined);
    this.producer = undefined;
    await this.topics.close();
  }
}

/** The same for kafkajs. */
export const clientConnection = ({ brokers, ssl, sasl }: KafkaConnection) => ({
  brokers: [...brokers],
  ...(ssl ? { ssl } : {}),
  ...(sasl ? { sasl } : {}),
});

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
