import type { Consumer, ConsumerConfig, EachBatchPayload, IMemberAssignment, ISocketFactory, Kafka } from 'kafkajs';
import { withPatience } from '../patience.js';
import type { MessagingLogger } from '../ports.js';
import { lacksTopic } from './lacks-topic.js';
import { OwnConnections } from './own-connections.js';
import { ReadingWatch } from './reading-watch.js';

/** Of every member, whatever it reads. kafkajs's own half a minute is longer than nothing needs to be heard of a member for another one to take its place. */
export const MEMBERSHIP = {
  /** So long a dead member keeps its partitions from others, and its group from welcoming its successor. */
  sessionTimeoutMs: 10_000,
  heartbeatMs: 3_000,
};
const CRASH_BACK_OFF_MS = 500;
/** Between attempts to join the group. */
const OPENING_MS = { first: 1_000, max: 8_000 };

export interface GroupMemberOptions {
  readonly consumer: ConsumerConfig;
  readonly topics: readonly string[];
  /** Batches that are worked on at a time. */
  readonly concurrency: number;
  readonly logger: MessagingLogger;
  /** What the health of the process calls it. */
  readonly part?: string;
  /** The group is not joined while this fails. */
  readonly beforeJoining: () => Promise<void>;
  /** Which partitions the member has from now on, by topic. */
  readonly joined: (assignment: IMemberAssignment) => void;
  readonly eachBatch: (payload: EachBatchPayload) => Promise<void>;
  /** A topic that is missing keeps a group from all of them. */
  readonly remakeTopics: () => Promise<void>;
}

/**
 * One member of a consumer group that stays one until it is stopped: where kafkajs gives up, or says nothing any more, another consumer takes
 * the place of the one before. What kafkajs takes for final (no coordinator yet, a broker that went away at the wrong moment) is not final here.
 */
export class GroupMember {
  readonly watch: ReadingWatch;
  private consumer: Consumer | undefined;
  private connections = new OwnConnections();
  private opening: Promise<void> = Promise.resolve();
  private readonly timers = new Set<NodeJS.Timeout>();
  private stopping = false;
  /** Another consumer is going to take the place of this one. */
  private isReplaced = false;
  private failedOpenings = 0;
  private endLooking: () => void = () => undefined;

  constructor(
    private readonly clientWith: (connections: ISocketFactory) => Pick<Kafka, 'consumer'>,
    private readonly options: GroupMemberOptions,
  ) {
    this.watch = new ReadingWatch(options.part);
  }

  async start(): Promise<void> {
    const { groupId } = this.options.consumer;
    this.endLooking = this.watch.onSilence((error) => {
      if (!this.isReplaced) this.options.logger.warn({ group: groupId }, error.message);
      this.joinAnew();
    });
    await (this.opening = this.open());
  }

  /** Finishes the batches in hand, leaves the group. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.endLooking();
    for (const timer of this.timers) clearTimeout(timer);
    await this.opening.catch(() => undefined);
    await this.consumer?.disconnect();
    this.connections.end();
  }

  /** A member goes on where it stood, also in a topic that was made again; one that joins anew begins with what it has not read. */
  joinAnew(): void {
    this.replace(0);
  }

  /** Next offsets, as Kafka shows them to people. */
  commit(offsets: { topic: string; partition: number; offset: string }[]): Promise<void> {
    return this.consumer!.commitOffsets(offsets);
  }

  seek(position: { topic: string; partition: number; offset: string }): void {
    this.consumer!.seek(position);
  }

  /** Unless the member is stopped before. */
  later(ms: number, work: () => void): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      if (!this.stopping) work();
    }, ms);
    this.timers.add(timer);
  }

  private async open(): Promise<void> {
    const { topics, concurrency, eachBatch, beforeJoining, remakeTopics, logger } = this.options;
    const group = this.options.consumer.groupId;
    this.connections = new OwnConnections();
    const consumer = this.clientWith(this.connections.socketFactory).consumer({
      sessionTimeout: MEMBERSHIP.sessionTimeoutMs,
      heartbeatInterval: MEMBERSHIP.heartbeatMs,
      ...this.options.consumer,
      retry: { ...this.options.consumer.retry, restartOnFailure: async () => isPresent() && !this.isReplaced },
    });
    this.consumer = consumer;
    this.isReplaced = false;
    // Nothing that one does which was given up counts any more.
    const isPresent = (): boolean => this.consumer === consumer;
    consumer.on(consumer.events.HEARTBEAT, () => isPresent() && this.watch.beat());
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
      if (!isPresent()) return;
      this.watch.joined();
      this.options.joined(payload.memberAssignment);
    });
    consumer.on(consumer.events.CRASH, ({ payload }) => {
      if (!isPresent()) return;
      this.watch.failed(payload.error);
      logger.warn({ group, error: String(payload.error) }, 'consumer lost its place in the group');
      if (lacksTopic(payload.error)) void remakeTopics();
      if (!payload.restart) this.replace(CRASH_BACK_OFF_MS);
    });
    try {
      await beforeJoining();
      if (!isPresent()) return;
      await consumer.connect();
      if (!isPresent()) return;
      await consumer.subscribe({ topics: [...topics], fromBeginning: true });
      await consumer.run({
        autoCommit: false,
        eachBatchAutoResolve: false,
        partitionsConsumedConcurrently: concurrency,
        eachBatch: async (payload) => {
          if (isPresent()) await eachBatch(payload);
        },
      });
      this.failedOpenings = 0;
    } catch (error) {
      if (!isPresent()) return;
      logger.warn({ group, error: String(error) }, 'cannot join the consumer group yet');
      this.watch.failed(error);
      if (lacksTopic(error)) await remakeTopics();
      this.replace(Math.min(OPENING_MS.first * 2 ** this.failedOpenings++, OPENING_MS.max));
    }
  }

  private async reopen(before: Consumer): Promise<void> {
    await withPatience(before.disconnect()).catch(() => undefined);
    this.connections.end();
    if (!this.stopping) await this.open();
  }

  /** Once for each consumer, whatever else is heard of it: a second one would be nobody's. */
  private replace(afterMs: number): void {
    if (this.isReplaced) return;
    this.isReplaced = true;
    this.later(afterMs, () => void (this.opening = this.reopen(this.consumer!)));
  }
}
