import { type EventEnvelope, partitionsOf } from '@kontor/contracts';
import type { EachBatchPayload, ISocketFactory, Kafka } from 'kafkajs';
import type { Unreadable } from '../inbox/read-envelope.js';
import type { MessagingLogger } from '../ports.js';
import type { Stall } from '../stall.js';
import type { Consumed, Subscription } from './bus-port.js';
import { GatheredPages } from './gathered-pages.js';
import { GroupMember } from './group-member.js';
import { EventsGone, KafkaIsAhead, lanesBehind, lanesCut } from './lanes-behind.js';
import { type Page, PAGE, readPage } from './read-page.js';

const BACK_OFF_MS = { first: 100, max: 2_000 };

export interface KafkaSubscriptionOptions {
  readonly concurrency: number;
  readonly sessionTimeoutMs: number;
  readonly heartbeatMs: number;
  readonly prefix: string;
  readonly logger: MessagingLogger;
  /** One that is missing keeps a group from all its topics. Does not fail. */
  readonly remakeTopics: () => Promise<void>;
  /** Where the group stands as Kafka knows it: by lane the next offset that it will be given; lanes that it has not begun are left out. */
  readonly committed: () => Promise<ReadonlyMap<string, bigint>>;
  /** By lane the first offset that Kafka has. */
  readonly firsts: () => Promise<ReadonlyMap<string, bigint>>;
}

/**
 * Reads topics as a member of a consumer group. Partitions of a topic are dealt with together. An offset is committed only after everything
 * before it is dealt with; partitions whose work fails for a passing reason are paused and delivered again, each by itself until it
 * succeeds, while the others go on.
 */
export class KafkaSubscription {
  private readonly failures = new Map<string, number>();
  /** Where each lane goes on, of those that were read since the group was joined. */
  private readonly next = new Map<string, bigint>();
  /** Where each lane stood here when it was begun, or begun anew: Kafka may give it from before that. */
  private readonly begun = new Map<string, bigint>();
  private readonly member: GroupMember;
  private readonly pages: GatheredPages<Page>;

  constructor(
    clientWith: (connections: ISocketFactory) => Kafka,
    private readonly subscription: Subscription,
    private readonly options: KafkaSubscriptionOptions,
  ) {
    this.pages = new GatheredPages({
      groupOf: ({ lane, topic }) => (this.failures.has(lane) ? lane : topic),
      work: (pages) => this.deal(pages),
      concurrency: options.concurrency,
      maxEvents: PAGE,
    });
    const { topics, group } = subscription;
    const { prefix, sessionTimeoutMs, heartbeatMs, logger, remakeTopics } = options;
    this.member = new GroupMember(clientWith, {
      consumer: {
        groupId: prefix + group,
        sessionTimeout: sessionTimeoutMs,
        rebalanceTimeout: Math.max(sessionTimeoutMs, 60_000),
        heartbeatInterval: heartbeatMs,
        maxWaitTimeInMs: 500,
        minBytes: 1,
        // Partitions that a topic is given beside those that it had are read as soon.
        metadataMaxAge: 30_000,
        maxBytesPerPartition: 2 * 1024 * 1024,
        allowAutoTopicCreation: false,
        retry: {
          initialRetryTime: 200,
          maxRetryTime: BACK_OFF_MS.max,
          retries: 10,
        },
      },
      topics: topics.map((topic) => prefix + topic),
      // All that a fetch brought: how much of it is worked on at a time is decided after it was gathered.
      concurrency: topics.reduce((sum, topic) => sum + partitionsOf(topic), 0),
      logger,
      beforeJoining: () => this.compare(),
      joined: () => this.next.clear(),
      eachBatch: (payload) => this.eachBatch(payload),
      remakeTopics,
    });
  }

  start(): Promise<void> {
    return this.member.start();
  }

  stall(): Stall | null {
    return this.member.watch.stall();
  }

  /** The database was away: what took its place may be of an earlier moment, such as a standby that had not got everything. */
  async compareAgain(): Promise<void> {
    this.next.clear();
    try {
      await this.compare();
    } catch (error) {
      this.member.watch.failed(error);
      // It is compared until that is known, before the group is joined again.
      this.member.joinAnew();
    }
  }

  stop(): Promise<void> {
    return this.member.stop();
  }

  private async eachBatch({
    batch,
    resolveOffset,
    heartbeat,
    isRunning,
    isStale,
    pause,
  }: EachBatchPayload): Promise<void> {
    const lane = `${batch.topic.slice(this.options.prefix.length)}/${batch.partition}`;
    let lostSession = false;
    const beat = setInterval(() => {
      // A refused heartbeat means a rebalance: the page in hand ends, the rest belongs to somebody else.
      heartbeat().catch(() => (lostSession = true));
    }, this.options.heartbeatMs);
    try {
      await this.begin(lane, BigInt(batch.messages[0]?.offset ?? 0));
      for (let start = 0; start < batch.messages.length && isRunning() && !isStale() && !lostSession; start += PAGE) {
        const page = readPage(batch, start, lane);
        await this.pages.deal(page);
        resolveOffset(page.last);
        this.next.set(lane, BigInt(page.last) + 1n);
        await heartbeat();
        this.failures.delete(lane);
        this.member.watch.laneGoesOn(lane);
      }
    } catch (error) {
      if (isMembershipError(error)) throw error;
      this.pauseLane(lane, pause, error);
      // Its database may be an older one when the lane goes on.
      this.next.clear();
      if (error instanceof EventsGone || error instanceof KafkaIsAhead) this.member.joinAnew();
    } finally {
      clearInterval(beat);
    }
  }

  /**
   * The group is not joined while Kafka holds lanes for read further than our database does. Kafka learns of it after the database, so that
   * this one was put back from a backup: what lies between was never applied here, and what comes may be of a time that is gone. A member
   * that only waited would go on where it stood in topics that are not there any more.
   * Nor is it joined where Kafka has deleted what was not read: behind it nothing could be made up for.
   * @throws KafkaIsAhead, EventsGone
   */
  private async compare(): Promise<void> {
    // In this order: who reads a lane at the moment moves it on here first.
    const [committed, firsts] = await Promise.all([this.options.committed(), this.options.firsts()]);
    const positions = await this.subscription.offsets.positions([...firsts.keys()]);
    const behind = lanesBehind(committed, positions);
    const error = behind.length > 0 ? new KafkaIsAhead(behind) : null;
    this.subscription.compared(error);
    if (error) throw error;
    const cut = lanesCut(firsts, positions);
    if (cut.length > 0) throw new EventsGone(cut);
  }

  /**
   * kafkajs goes on at the first offset that there is, without a word, where the one that it asks for was deleted; and a member does where it
   * stood when its database is an older one all at once.
   * @throws KafkaIsAhead, EventsGone
   */
  private async begin(lane: string, offset: bigint): Promise<void> {
    if (this.next.get(lane) === offset) return;
    const position = (await this.subscription.offsets.positions([lane])).get(lane) ?? -1n;
    this.begun.set(lane, position);
    if (offset > position + 1n) await this.compare();
  }

  /** Applies, puts aside, counts and commits. */
  private async deal(pages: readonly Page[]): Promise<void> {
    const { subscription } = this;
    await subscription.handle(await this.newIn(pages));
    const unreadable = pages.flatMap((page) => page.unreadable);
    if (unreadable.length > 0) await this.putAside(unreadable);
    await this.advance(pages);
    await this.member.commit(
      pages.map(({ topic, partition, last }) => ({ topic, partition, offset: (BigInt(last) + 1n).toString() })),
    );
  }

  /** @throws KafkaIsAhead, EventsGone where what lies before a page was not dealt with here. */
  private async advance(pages: readonly Page[]): Promise<void> {
    const { offsets } = this.subscription;
    const moves = pages.map(({ lane, first, last, consumed }) => ({
      lane,
      first: BigInt(first),
      position: BigInt(last),
      events: consumed,
    }));
    const behind = await offsets.advance(moves, true);
    if (behind.length === 0) return;
    await this.compare();
    // Nothing lies there, such as where a lane that is read for the first time does not begin at its beginning any more.
    const rest = moves.filter(({ lane }) => behind.includes(lane));
    await offsets.advance(
      rest.map(({ lane, position, events }) => ({ lane, position, events })),
      true,
    );
  }

  /**
   * Their events, but for those that this group had dealt with before their topic was lost, or before the group was put back (by somebody, or
   * because Kafka forgot where it stood). The inbox does not say it of all: Kafka may keep events for longer.
   */
  private async newIn(pages: readonly Page[]): Promise<EventEnvelope[]> {
    const again = pages.filter(
      ({ lane, first, events }) =>
        BigInt(first) <= (this.begun.get(lane) ?? -1n) || events.some(({ headers }) => headers.again),
    );
    if (again.length === 0) return pages.flatMap(({ events }) => events);
    const known = await this.subscription.offsets.logPositions(again.map(({ lane }) => lane));
    const isKnown = (lane: string, { logPosition }: Consumed): boolean =>
      logPosition !== null && logPosition <= (known.get(lane) ?? -1n);
    return pages.flatMap(({ lane, events, consumed }) => events.filter((_, n) => !isKnown(lane, consumed[n]!)));
  }

  private async putAside(messages: readonly Unreadable[]): Promise<void> {
    await this.subscription.putAside(messages);
    for (const { lane, position, error } of messages)
      this.options.logger.error(
        { group: this.subscription.group, lane, position: String(position), error },
        'message parked',
      );
  }

  private pauseLane(lane: string, pause: () => () => void, error: unknown): void {
    const failures = this.failures.get(lane) ?? 0;
    this.failures.set(lane, failures + 1);
    this.member.watch.laneFailed(lane, error);
    const pauseMs = Math.min(BACK_OFF_MS.first * 2 ** failures, BACK_OFF_MS.max);
    this.options.logger.warn(
      { group: this.subscription.group, lane, error: String(error), pauseMs },
      'consumer pauses',
    );
    this.member.later(pauseMs, pause());
  }
}

/** Errors of the group protocol are kafkajs's to handle: it rejoins. */
const isMembershipError = (error: unknown): boolean =>
  [
    'REBALANCE_IN_PROGRESS',
    'UNKNOWN_MEMBER_ID',
    'ILLEGAL_GENERATION',
    'NOT_COORDINATOR_FOR_GROUP',
    'FENCED_INSTANCE_ID',
  ].includes((error as { type?: string } | null)?.type ?? '') ||
  /^KafkaJS/.test((error as { name?: string } | null)?.name ?? '');
