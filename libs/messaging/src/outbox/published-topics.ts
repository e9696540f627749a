import { allEvents, type Topic } from '@kontor/contracts';
import type { BusPort, OutboxRecord } from '../bus/bus-port.js';
import type { DedicatedConnection } from '../ports.js';
import type { OtherCluster } from './other-cluster.js';
import { type Stall, Trouble } from '../stall.js';
import { TopicPartitions } from './topic-partitions.js';
import { countByTopic, type Leadership, LostLead } from './relay-session.js';

/** So long after a look, or a publication, topics are taken for whole: nobody loses one and makes it anew in that time without an error. */
const FRESH_MS = 50;
/** How often topics are looked at while nothing is published. */
const GLANCE_MS = 5_000;

interface Stored {
  readonly topic: Topic;
  readonly taken: string;
  readonly lost: boolean;
  readonly cluster: string | null;
}

/**
 * Knows by how much a topic has taken whether it was lost since: it then has taken less, or is in another cluster. Whoever made it anew, a
 * consumer, an operator or a broker that came back without its disk, it is noticed before something newer is published to it.
 */
export class PublishedTopics {
  readonly ownTopics: readonly Topic[];
  private readonly serviceTopics: readonly Topic[];
  /** What these had taken before has to be published again first. */
  readonly lost = new Set<Topic>();
  /** What each topic has taken since it was made, at least. */
  private readonly taken = new Map<Topic, bigint>();
  /** Where it was published to. */
  private readonly clusters = new Map<Topic, string>();
  /** The one that is reached, as of the last look at all topics. */
  private cluster: string | null = null;
  private freshUntil = -Infinity;
  private suspicious = true;
  private seemLost = false;
  private glanceAt = -Infinity;
  private glancing = false;
  private readonly partitions: TopicPartitions;
  private readonly trouble = new Trouble('relay');

  constructor(
    private readonly session: DedicatedConnection,
    private readonly lead: Leadership,
    private readonly bus: BusPort,
    private readonly otherCluster: OtherCluster,
    service: string,
  ) {
    const topics = new Set(allEvents().map(({ topic }) => topic));
    this.serviceTopics = [...topics].filter((topic) => topic.startsWith(`${service}.`));
    this.ownTopics = bus.topicEnds ? this.serviceTopics : [];
    this.partitions = new TopicPartitions(session, lead, bus, this.ownTopics);
  }

  async load(): Promise<void> {
    if (!this.bus.topicEnds) await this.keepUnpublished();
    if (this.ownTopics.length === 0) return;
    const { rows } = await this.session.query('SELECT topic, taken, lost, cluster FROM published_topic');
    for (const { topic, taken, lost, cluster } of rows as Stored[]) {
      // Of a lost one, what it took where there are no topics says nothing.
      this.taken.set(topic, lost ? 0n : BigInt(taken));
      if (lost) this.lost.add(topic);
      if (cluster !== null) this.clusters.set(topic, cluster);
    }
    await this.partitions.load();
    // What was published to one that is not known here may be read nowhere: that is looked at now, however long nothing newer comes.
    this.seemLost = this.ownTopics.some((topic) => !this.taken.has(topic));
  }

  /** Something is to be published again, or seems to be. */
  get needCare(): boolean {
    return this.seemLost || this.lost.size > 0;
  }

  /** Looks at all topics before the next publication, whenever that is. */
  distrust(): void {
    this.freshUntil = -Infinity;
    this.suspicious = true;
  }

  /** What keeps the bus from saying what it holds. */
  stall(): Stall | null {
    return this.trouble.stall();
  }

  /** Looks beside everything else, now and then, so that a loss shows while nothing is published. */
  glance(onLoss: () => void): void {
    if (this.ownTopics.length === 0 || this.glancing || performance.now() < this.glanceAt) return;
    this.glancing = true;
    this.trouble.tried();
    const seen = Promise.all([this.bus.topicEnds!(this.ownTopics), this.bus.cluster!()]).then(
      ([ends, cluster]) => {
        this.trouble.passed();
        // What is published meanwhile may seem lost; a look shows that it is not.
        if (![...ends].some(([topic, end]) => this.isLost(topic, end, cluster))) return;
        this.distrust();
        this.seemLost = true;
        onLoss();
      },
      (error: unknown) => this.trouble.failed(error),
    );
    void seen.finally(() => {
      this.glancing = false;
      this.glanceAt = performance.now() + GLANCE_MS;
    });
  }

  /**
   * Makes sure that it is known which of these topics are lost, before anything behind `publishedUpTo` is published. @returns those that are found to be, now.
   * @throws BusAway while others that reach the cluster that was published to may take the lead
   */
  async look(topics: readonly Topic[], publishedUpTo: bigint): Promise<readonly Topic[]> {
    if (this.ownTopics.length === 0 || performance.now() < this.freshUntil) return [];
    const cluster = (this.cluster = this.suspicious ? await this.bus.cluster!() : this.cluster);
    if (this.ownTopics.some((topic) => this.isElsewhere(topic, cluster))) this.otherCluster.leave();
    else this.otherCluster.passed();
    const ends = [...(await this.bus.topicEnds!(this.suspicious ? this.ownTopics : [...new Set(topics)]))];
    const empty = await this.publishedElsewhere(ends);
    // What a topic holds that is seen for the first time is taken as it is: it may be older than this table, and so may be its cluster.
    await this.store(
      ends
        .filter(([topic]) => !this.clusters.has(topic) && !this.lost.has(topic) && !empty.has(topic))
        .map(([topic, end]) => [topic, this.taken.get(topic) ?? end]),
      false,
    );
    const lost = ends
      .filter(([topic, end]) => empty.has(topic) || this.isLost(topic, end, cluster))
      .map(([topic]) => topic);
    await this.store(
      lost.map((topic) => [topic, 0n]),
      true,
    );
    for (const topic of lost) this.lost.add(topic);
    await this.partitions.keep(publishedUpTo);
    this.suspicious = this.seemLost = false;
    this.stayFresh();
    return lost;
  }

  /** As they go to the bus. */
  placed(records: readonly OutboxRecord[]): readonly OutboxRecord[] {
    return this.partitions.placed(records);
  }

  /** These are in their topics now. */
  took(records: readonly OutboxRecord[]): void {
    for (const [topic, n] of countByTopic(records)) this.taken.set(topic, (this.taken.get(topic) ?? 0n) + BigInt(n));
    this.stayFresh();
  }

  /** All that was lost is published again. */
  async restored(): Promise<void> {
    await this.store(
      [...this.lost].map((topic) => [topic, this.taken.get(topic)!]),
      false,
    );
    this.lost.clear();
  }

  /**
   * The embedded bus has no topics: a broker that takes its place has none of what was published so far, of which not everything may be read.
   */
  private async keepUnpublished(): Promise<void> {
    await this.session.query(
      `INSERT INTO published_topic AS p (topic, taken, lost)
       SELECT t.topic, 0, true FROM unnest($1::text[]) AS t (topic), relay_state WHERE leader_epoch = $2
       ON CONFLICT (topic) DO UPDATE SET taken = 0, lost = true, cluster = NULL WHERE NOT p.lost`,
      [this.serviceTopics, this.lead.epoch.toString()],
    );
  }

  /** Of topics that are seen for the first time, those that hold nothing of what was published already: to one before them, or before there was this table. */
  private async publishedElsewhere(ends: readonly (readonly [Topic, bigint])[]): Promise<ReadonlySet<Topic>> {
    const empty = new Set(ends.filter(([topic, end]) => end === 0n && !this.taken.has(topic)).map(([topic]) => topic));
    if (empty.size === 0) return empty;
    const { rows } = await this.session.query('SELECT DISTINCT type FROM published_count');
    const published = new Set(rows.map((row) => (row as { type: string }).type));
    return new Set(allEvents().flatMap(({ topic, type }) => (empty.has(topic) && published.has(type) ? [topic] : [])));
  }

  private isLost(topic: Topic, end: bigint, cluster: string | null): boolean {
    return end < (this.taken.get(topic) ?? 0n) || this.isElsewhere(topic, cluster);
  }

  private isElsewhere(topic: Topic, cluster: string | null): boolean {
    const published = this.clusters.get(topic);
    return published !== undefined && published !== cluster;
  }

  private stayFresh(): void {
    this.freshUntil = performance.now() + FRESH_MS;
  }

  /** Waits for the disk, unlike the count of what was published: publishing again that was forgotten would not be ended. */
  private async store(taken: readonly (readonly [Topic, bigint])[], lost: boolean): Promise<void> {
    if (taken.length === 0) return;
    const { rows } = await this.session.query(
      `INSERT INTO published_topic (topic, taken, lost, cluster) SELECT t.topic, t.taken, $3::boolean, $5
       FROM unnest($1::text[], $2::bigint[]) AS t (topic, taken), relay_state
       WHERE leader_epoch = $4 AND set_config('synchronous_commit', 'on', true) = 'on'
       ON CONFLICT (topic) DO UPDATE SET taken = excluded.taken, lost = excluded.lost, cluster = excluded.cluster
       RETURNING topic`,
      [
        taken.map(([topic]) => topic),
        taken.map(([, n]) => n.toString()),
        lost,
        this.lead.epoch.toString(),
        this.cluster,
      ],
    );
    if (rows.length < taken.length) throw new LostLead();
    for (const [topic, n] of taken) {
      this.taken.set(topic, n);
      if (this.cluster !== null) this.clusters.set(topic, this.cluster);
    }
  }
}
