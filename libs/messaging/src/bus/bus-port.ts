import type { EventEnvelope, Topic } from '@kontor/contracts';
import type { Unreadable } from '../inbox/read-envelope.js';
import type { Stall } from '../stall.js';

/** One row of an outbox, ready to travel. `payload` and `headers` are JSON texts, untouched since they were appended. */
export interface OutboxRecord {
  /** Position in the producer's log. */
  readonly id: bigint;
  readonly eventId: string;
  readonly tenantId: string;
  readonly aggregateId: string;
  readonly aggregateSeq: number;
  readonly topic: Topic;
  readonly type: string;
  readonly effectiveAt: Date;
  readonly payload: string;
  readonly headers: string;
  /** It was refused first, and published out of its place. */
  readonly released?: boolean;
  /** Its aggregate's is one of so many partitions of its topic; absent: of all that the topic has. */
  readonly partitions?: number;
}

/** A stretch of a producer's log: every row in `(after, upTo]`, in order; nothing can appear in it later. */
export interface LogPage {
  readonly producer: string;
  readonly after: bigint;
  readonly upTo: bigint;
  readonly records: readonly OutboxRecord[];
}

/** Reads a producer's own log; what the embedded bus delivers from. */
export interface OutboxLog {
  readonly producer: string;
  read(topic: Topic, after: bigint, upTo: bigint, limit: number): Promise<OutboxRecord[]>;
}

/** An event that a group has dealt with. */
export interface Consumed {
  /** Its place in its lane: outbox id, or Kafka offset. */
  readonly position: bigint;
  /**
   * Its place in the producer's log, which grows along a lane except where a page was published again. Null: it was put aside and
   * published later, out of its place.
   */
  readonly logPosition: bigint | null;
  /** Id of an event that was put aside and published later: as often as it comes, it is counted once. */
  readonly apart?: string;
  readonly tenantId: string;
  readonly type: string;
}

/** How far a lane has come, and the events on its way there. */
export interface LaneMove {
  readonly lane: string;
  readonly position: bigint;
  readonly events: readonly Consumed[];
  /** What follows the place where the lane is thought to stand. It stays where it is when it stands further back. */
  readonly first?: bigint;
}

/**
 * How far a consumer group has come, kept in the consumer's own database: a position per lane (a topic, on Kafka one of
 * its partitions), and per tenant and type how many events it has dealt with.
 */
export interface OffsetStore {
  /** Position of the last event dealt with; 0 when there is none. */
  load(lane: string): Promise<bigint>;
  /** Positions of the last events dealt with, of the lanes of which something is known. */
  positions(lanes: readonly string[]): Promise<ReadonlyMap<string, bigint>>;
  /** How far lanes have come in their producer's log; those of which nothing is known are left out. */
  logPositions(lanes: readonly string[]): Promise<ReadonlyMap<string, bigint>>;
  /**
   * Moves lanes on and counts those events that lie beyond a lane's old position, in one transaction: an event that comes
   * again is counted once. `lasting` false where it may be lost in a crash of the database, because whoever moves lanes looks at known
   * events again then.
   * @returns lanes that stand further back than {@link LaneMove.first}, and stay there.
   */
  advance(moves: readonly LaneMove[], lasting: boolean): Promise<readonly string[]>;
}

export interface Subscription {
  /** Consumer group: the service's name. Replicas of a service share it. */
  readonly group: string;
  readonly topics: readonly Topic[];
  readonly offsets: OffsetStore;
  /**
   * Applies events in the order given. Returning means: dealt with for good (applied, known already, or parked).
   * Throwing means: transient; the same events come again after a pause, other lanes go on.
   */
  handle(events: readonly EventEnvelope[]): Promise<void>;
  /** Called whenever the group's offsets were compared with the bus: why the database is older than the bus; null: it is not. */
  compared(behind: Error | null): void;
  /** Puts messages aside that cannot be read, so that those behind them go on. Throwing means the same as above. */
  putAside(messages: readonly Unreadable[]): Promise<void>;
}

export interface RunningSubscription {
  /** Resolves when the work in hand is done and nothing more will be delivered. */
  stop(): Promise<void>;
  /** What keeps it from reading, or events from being dealt with, and since when. */
  stall(): Stall | null;
  /** The database was away, and may be an older one since. Resolves when {@link Subscription.compared} knows, or cannot know yet. */
  compareAgain?(): Promise<void>;
}

/** How events travel between services. Both adapters pass the same contract tests. */
export interface BusPort {
  readonly kind: 'kafka' | 'embedded';
  /** Makes topics exist. */
  prepare(topics: readonly Topic[]): Promise<void>;
  /** A relay took the lead of `log` and everything up to `publishedUpTo` was handed over before. */
  attachLog(log: OutboxLog, publishedUpTo: bigint): void;
  /**
   * Resolves when the page is durable for all consumers.
   * @throws BusRefusal when a record will never be accepted; anything else is worth a retry.
   */
  publish(page: LogPage): Promise<void>;
  /**
   * How many messages each topic has taken since it was made, also those that are deleted by now. One that is missing is made, and has
   * taken none. Absent where the outbox is the log: that is not lost without its database.
   */
  topicEnds?(topics: readonly Topic[]): Promise<ReadonlyMap<Topic, bigint>>;
  /** Names the cluster of brokers that is reached. Present where `topicEnds` is. */
  cluster?(): Promise<string>;
  /** How many partitions topics had when they were last asked for their ends. Present where `topicEnds` is. */
  partitions?(): ReadonlyMap<Topic, number>;
  /** Gives topics so many partitions, which are more than they have. Present where `topicEnds` is. */
  widen?(topics: ReadonlyMap<Topic, number>): Promise<void>;
  subscribe(subscription: Subscription): Promise<RunningSubscription>;
  close(): Promise<void>;
}

/** The bus will never take this record (too large, malformed): retrying is useless. */
export class BusRefusal extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BusRefusal';
  }
}
