import type { BusPort } from '../bus/bus-port.js';
import type { DedicatedConnection, MessagingDatabase, MessagingLogger } from '../ports.js';
import { outboxLog } from './outbox-log.js';
import { isLasting, oldest, type Stall, Trouble, troubleOfDatabase } from '../stall.js';
import { BusAway } from './bus-away.js';
import { OtherCluster } from './other-cluster.js';
import { PagePublisher } from './page-publisher.js';
import { PublishedTopics } from './published-topics.js';
import { Quarantine } from './quarantine.js';
import { highestDrawn, type Leadership, LostLead, tryLead, waitForWriters } from './relay-session.js';
import { registerWaker } from './wake.js';

export interface RelayOptions {
  pageSize?: number;
  /** How long a wake that got lost can delay an event. */
  slowPollMs?: number;
  /** How soon another replica takes over from a dead leader. */
  electionMs?: number;
  /** After so long without reaching the broker a leader leaves the lead to a replica that may reach it. */
  giveUpMs?: number;
  /** Called when the database is reached again after its session was lost. */
  onReturn?: () => void;
}

/** So often others look for the lead while it is left to them. */
const ELECTIONS_LEFT = 8;

/**
 * Publishes a service's outbox, in order, at least once: one leader per service among all replicas. Reading rows above
 * the last published id alone would lose those of transactions that drew an id early and commit late.
 * @see docs/rules/architecture.md#outbox
 */
export class Relay {
  private stopping = false;
  private awake = false;
  private publisher: PagePublisher | undefined;
  private notifying = false;
  private rouse: () => void = () => undefined;
  private unregister: () => void = () => undefined;
  private running: Promise<void> | undefined;
  private readonly options: Required<RelayOptions>;
  private readonly trouble = new Trouble('relay');
  private readonly otherCluster: OtherCluster;
  /** Of what the database does before and after the bus. */
  private readonly pending = troubleOfDatabase('relay', 'the outbox');

  constructor(
    private readonly database: MessagingDatabase,
    private readonly bus: BusPort,
    private readonly logger: MessagingLogger,
    options: RelayOptions = {},
  ) {
    this.options = {
      pageSize: 500,
      slowPollMs: 500,
      electionMs: 1_000,
      giveUpMs: 10_000,
      onReturn: () => undefined,
      ...options,
    };
    this.otherCluster = new OtherCluster(ELECTIONS_LEFT * this.options.electionMs);
  }

  /** True while this process publishes for its service. */
  get isLeader(): boolean {
    return this.publisher !== undefined;
  }

  /** What keeps events in the outbox, and since when; known where this process leads. */
  stall(): Stall | null {
    const failing = this.publisher?.stall() ?? this.trouble.stall();
    return failing && isLasting(failing) ? failing : oldest([failing, this.pending.stall()]);
  }

  start(): void {
    this.unregister = registerWaker(this.database.serviceName, () => this.wake());
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    this.unregister();
    this.rouse();
    await this.running;
  }

  /** There is something to publish: at once when leading, else the leader's process is notified. */
  wake(): void {
    this.awake = true;
    if (this.isLeader) this.rouse();
    else this.notifyLeader();
  }

  /** Lets events that the broker refused be tried again, in order. */
  async releaseQuarantine(): Promise<void> {
    await this.database.system((sql) => sql.query('UPDATE outbox_quarantine SET release = true'));
    this.wake();
  }

  private notifyLeader(): void {
    if (this.notifying || this.stopping) return;
    this.notifying = true;
    setTimeout(() => {
      this.notifying = false;
      if (this.stopping) return;
      this.database.system((sql) => sql.query("SELECT pg_notify('outbox', '')")).catch(() => undefined);
    }, 2).unref();
  }

  private async run(): Promise<void> {
    let wasLost = false;
    for (let failures = 0; !this.stopping;) {
      let session: DedicatedConnection | undefined;
      let pauseMs = 0;
      try {
        session = await this.database.connect();
        if (wasLost) this.options.onReturn();
        wasLost = false;
        await this.serve(session, () => (failures = 0));
      } catch (error) {
        if (!this.stopping)
          this.logger.warn({ error: String(error), service: this.database.serviceName }, 'the relay begins anew');
        // The others look for a lead that is free once in a while.
        wasLost = !(error instanceof BusAway || error instanceof LostLead);
        const restMs = error instanceof BusAway ? 2 * this.options.electionMs : 0;
        pauseMs = Math.max(restMs, Math.min(50 * 2 ** ++failures, 2_000));
      }
      // With its session goes the lead.
      this.publisher = undefined;
      await session?.end().catch(() => undefined);
      if (pauseMs > 0 && !this.stopping) await this.pause(pauseMs);
    }
  }

  /** One session: wait for the lead, then publish until the session or the lead is lost. */
  private async serve(session: DedicatedConnection, alive: () => void): Promise<void> {
    let lost: Error | undefined;
    const lose = (error?: Error): void => {
      lost ??= error ?? new Error('the connection ended');
      this.rouse();
    };
    session.on('error', lose as never);
    session.on('end', lose as never);
    session.on('notification', () => {
      this.awake = true;
      this.rouse();
    });
    const ended = (): boolean => this.stopping || lost !== undefined;
    const lead = await this.waitForLead(session, ended);
    if (lead && !ended()) {
      alive();
      const publisher = await this.takeOver(session, lead, ended);
      while (!ended()) {
        this.awake = false;
        const hasRoom = this.database.hasRoom?.() ?? true;
        const more = hasRoom && (await this.publishPending(session, publisher, ended));
        if (!more && !(hasRoom && this.awake) && !ended()) await this.pause(this.options.slowPollMs);
      }
    }
    if (lost) throw lost;
  }

  private async waitForLead(session: DedicatedConnection, ended: () => boolean): Promise<Leadership | null> {
    let lead = await tryLead(session);
    // What is in the way of another process, that one says.
    if (!lead) {
      this.trouble.passed();
      this.otherCluster.passed();
      this.pending.passed();
    }
    while (!lead && !ended()) {
      await this.pause(this.options.electionMs);
      if (!ended()) lead = await tryLead(session);
    }
    return lead;
  }

  private async takeOver(
    session: DedicatedConnection,
    lead: Leadership,
    stopped: () => boolean,
  ): Promise<PagePublisher> {
    const quarantine = new Quarantine(session);
    await quarantine.load();
    this.bus.attachLog(outboxLog(this.database), lead.publishedUpTo);
    const { logger, database, options } = this;
    const topics = new PublishedTopics(session, lead, this.bus, this.otherCluster, database.serviceName);
    await topics.load();
    return (this.publisher = new PagePublisher(session, lead, this.bus, quarantine, topics, {
      service: database.serviceName,
      pageSize: options.pageSize,
      trouble: this.trouble,
      giveUpMs: options.giveUpMs,
      onPage: () => {
        this.pending.passed();
        this.pending.tried();
      },
      logger,
      stopped,
    }));
  }

  /** Publishes what is surely complete now. True when it did something. */
  private async publishPending(
    session: DedicatedConnection,
    publisher: PagePublisher,
    ended: () => boolean,
  ): Promise<boolean> {
    await publisher.restoreTopics(() => this.wake());
    await publisher.publishReleased();
    const hi = await highestDrawn(session);
    if (hi > publisher.published) {
      this.pending.tried();
      if (!(await waitForWriters(session, ended)) || !(await publisher.publishUpTo(hi))) return false;
      this.pending.passed();
      return true;
    }
    this.pending.passed();
    return false;
  }

  private pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.rouse = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
