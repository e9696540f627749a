import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { allEvents } from '@kontor/contracts';
import { isUuid, onDemand } from '@kontor/kernel';
import { clientConnection, GroupMember, MEMBERSHIP, Messaging, withEveryCodec } from '@kontor/messaging';
import { Database } from '@kontor/persistence';
import { ConfigurationError, kafkaConnection, Log, ServiceConfig } from '@kontor/service-kit';
import type { EachBatchPayload, ISocketFactory, Kafka as KafkaClient } from 'kafkajs';
import { CustomersOnTheirWay } from './customers-on-their-way.js';
import { DeletedMessages } from './deleted-messages.js';
import { makeIntakeTopic } from './intake-topic.js';
import { PAGES_AT_ONCE, STANDS_ELSEWHERE, StoreMessages } from './store-messages.js';
import type { Allowed } from './read-messages.js';

const library = onDemand<typeof import('kafkajs')>('kafkajs', import.meta.url);
const GROUP = 'usage-intake';
const PAGE = 1_000;
const BACK_OFF_MS = { first: 200, max: 2_000 };
const TOPIC_NAME = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,249}$/;
const OUR_TOPICS: ReadonlySet<string> = new Set(allEvents().map((event) => event.topic));

/**
 * Reads events from a Kafka topic when `USAGE_INTAKE_TENANTS` names whose: the operator's own pipeline writes there,
 * and the brokers' access rules are what admits it. Positions are kept in PostgreSQL with the events; those in Kafka
 * only show the lag.
 */
@Injectable()
export class KafkaIngestion implements OnApplicationBootstrap, OnApplicationShutdown {
  private member: GroupMember | undefined;
  private stopped = false;
  /** Stored positions of the partitions in hand; none is known after the group was formed anew or the database came back. */
  private positions = new Map<number, bigint>();
  /** Partitions read again from their stored position, to which Kafka has nothing older left if it begins later still. */
  private sought = new Set<number>();
  /** Goes on from the positions that the database has now: a group was formed, or the database came back. */
  private beginAnew: () => void = () => undefined;
  private readonly failures = new Map<number, number>();
  private customers: CustomersOnTheirWay | undefined;
  private deleted: DeletedMessages | undefined;

  constructor(
    private readonly database: Database,
    private readonly storeMessages: StoreMessages,
    private readonly config: ServiceConfig,
    private readonly log: Log,
    private readonly messaging: Messaging,
  ) {}

  onApplicationBootstrap(): void {
    const { read } = this.config;
    const tenants = read.texts('USAGE_INTAKE_TENANTS').map((id) => id.toLowerCase());
    if (tenants.length === 0 || read.text('KAFKA_BROKERS') === undefined) return;
    if (!tenants.every((id) => id === '*' || isUuid(id)))
      throw new ConfigurationError('USAGE_INTAKE_TENANTS must be ids of tenants with commas, or * for all.');
    const topic = read.text('USAGE_INTAKE_TOPIC', 'usage.events.in');
    if (!TOPIC_NAME.test(topic) || OUR_TOPICS.has(topic))
      throw new ConfigurationError(`USAGE_INTAKE_TOPIC must be the name of a topic of its own, not "${topic}".`);
    const allowed: Allowed = tenants.includes('*') ? '*' : new Set(tenants);
    withEveryCodec();
    const { Kafka, logLevel } = library();
    const clientWith = (socketFactory?: ISocketFactory): KafkaClient =>
      new Kafka({
        ...clientConnection(kafkaConnection(read)),
        clientId: GROUP,
        logLevel: logLevel.NOTHING,
        retry: { initialRetryTime: 100, maxRetryTime: 2_000, retries: 3 },
        ...(socketFactory && { socketFactory }),
      });
    const kafka = clientWith();
    this.customers = new CustomersOnTheirWay(kafka);
    this.deleted = new DeletedMessages(kafka, this.database, this.log);
    const makeTopic = (): Promise<void> => this.makeTopic(kafka, topic);
    const member = new GroupMember(clientWith, {
      consumer: {
        groupId: GROUP,
        allowAutoTopicCreation: false,
        maxWaitTimeInMs: 200,
      },
      topics: [topic],
      concurrency: PAGES_AT_ONCE,
      logger: this.log,
      part: GROUP,
      beforeJoining: makeTopic,
      joined: (assignment) => this.joined(kafka, topic, assignment[topic] ?? []),
      eachBatch: (payload) => this.eachBatch(payload, allowed),
      remakeTopics: () => makeTopic().catch(() => undefined),
    });
    this.member = member;
    this.messaging.watch(() => member.watch.stall());
    this.messaging.onDatabaseReturn(() => this.beginAnew());
    void member.start();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    await this.member?.stop().catch(() => undefined);
  }

  private joined(kafka: KafkaClient, topic: string, partitions: readonly number[]): void {
    this.beginAnew = () => {
      this.positions = new Map();
      this.sought = new Set();
      // Where nothing new comes, no batch would show that something is missing.
      this.compare(kafka, topic, partitions);
    };
    this.beginAnew();
  }

  private makeTopic(kafka: KafkaClient, topic: string): Promise<void> {
    const { read } = this.config;
    const copies = read.integer('KAFKA_REPLICATION_FACTOR', 0, { min: 1, max: 7 });
    return makeIntakeTopic(kafka, topic, copies || null);
  }

  private async eachBatch(payload: EachBatchPayload, allowed: Allowed): Promise<void> {
    const { batch, heartbeat, pause } = payload;
    const beat = setInterval(() => void heartbeat().catch(() => undefined), MEMBERSHIP.heartbeatMs);
    try {
      await this.store(payload, allowed);
      this.failures.delete(batch.partition);
      this.member!.watch.laneGoesOn(`${batch.topic}/${batch.partition}`);
    } catch (error) {
      this.positions.delete(batch.partition);
      if ((error as { code?: string }).code === STANDS_ELSEWHERE) return;
      const failures = this.failures.get(batch.partition) ?? 0;
      this.failures.set(batch.partition, failures + 1);
      this.member!.watch.laneFailed(`${batch.topic}/${batch.partition}`, error);
      const pauseMs = Math.min(BACK_OFF_MS.first * 2 ** failures, BACK_OFF_MS.max);
      this.log.warn({ err: error, partition: batch.partition, pauseMs }, 'the usage intake pauses');
      this.member!.later(pauseMs, pause());
    } finally {
      clearInterval(beat);
    }
  }

  private async store(
    { batch, resolveOffset, isRunning, isStale, heartbeat }: EachBatchPayload,
    allowed: Allowed,
  ): Promise<void> {
    const { topic, partition, messages } = batch;
    const position = this.positions.get(partition) ?? (await this.positionOf(topic, partition));
    // Kafka's position is a copy: where it is ahead (a database restored from a backup), what is missing is read again,
    // once for each gap.
    if (messages.length > 0) {
      const misses = BigInt(messages[0]!.offset) > position;
      if (misses && !this.sought.has(partition)) {
        this.sought.add(partition);
        return this.member!.seek({ topic, partition, offset: position.toString() });
      }
      if (!misses) this.sought.delete(partition);
    }
    await this.deleted!.note(batch, position);
    const customersHaveCome = (): Promise<boolean> => this.customers!.haveCome(partition);
    let known = position;
    this.positions.set(partition, known);
    // What lies before the position is stored already, or the topic was made anew and counts from 0 again: a transaction counts once
    // either way.
    for (let start = 0; start < messages.length && isRunning() && !isStale(); start += PAGE) {
      const page = messages.slice(start, start + PAGE);
      const next = BigInt(page.at(-1)!.offset) + 1n;
      await this.storeMessages.execute({ topic, partition, messages: page, known, next }, allowed, customersHaveCome);
      this.positions.set(partition, (known = next));
      resolveOffset(page.at(-1)!.offset);
      await this.member!.commit([{ topic, partition, offset: next.toString() }]).catch(() => undefined);
      await heartbeat();
    }
    if (messages.length === 0) resolveOffset(batch.lastOffset());
  }

  /** Looks for what is missing, until that was done or it is begun anew. */
  private compare(kafka: KafkaClient, topic: string, partitions: readonly number[]): void {
    const place = this.positions;
    const isOver = (): boolean => this.stopped || place !== this.positions;
    this.seekWhatIsMissing(kafka, topic, partitions, isOver).catch((error: unknown) => {
      this.log.warn({ err: error, topic }, 'the usage intake cannot compare its positions with those of Kafka yet');
      this.member!.later(BACK_OFF_MS.max, () => isOver() || this.compare(kafka, topic, partitions));
    });
  }

  /** A database that was put back from a backup has not what Kafka's position passes over: it is read again. */
  private async seekWhatIsMissing(
    kafka: KafkaClient,
    topic: string,
    partitions: readonly number[],
    isOver: () => boolean,
  ): Promise<void> {
    for (const { partition, offset } of await committedOf(kafka, topic)) {
      if (!partitions.includes(partition)) continue;
      const position = await this.positionOf(topic, partition);
      if (isOver()) return;
      if (BigInt(offset) > position) this.member!.seek({ topic, partition, offset: position.toString() });
    }
  }

  private positionOf(topic: string, partition: number): Promise<bigint> {
    return this.database.system(async (sql) => {
      const rows = await sql.query<{ next: bigint }>(
        'SELECT next_offset AS next FROM usage_intake_offset WHERE topic = $1 AND partition = $2',
        [topic, partition],
      );
      return rows[0]?.next ?? 0n;
    });
  }
}

/** The next offset of each partition that the group has begun, as Kafka knows it. */
async function committedOf(kafka: KafkaClient, topic: string): Promise<{ partition: number; offset: string }[]> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    const [found] = await admin.fetchOffsets({ groupId: GROUP, topics: [topic] });
    return (found?.partitions ?? []).filter(({ offset }) => BigInt(offset) >= 0n);
  } finally {
    await admin.disconnect();
  }
}
