import { setTimeout as sleep } from 'node:timers/promises';
import { type BusPort, BusRefusal, type OutboxRecord } from '../bus/bus-port.js';
import { BusAway } from './bus-away.js';
import { dayOfEvent } from '../inbox/event-day.js';
import type { DedicatedConnection, MessagingLogger } from '../ports.js';
import { oldest, type Stall, type Trouble } from '../stall.js';
import { readOutbox } from './outbox-log.js';
import type { PublishedTopics } from './published-topics.js';
import type { Quarantine } from './quarantine.js';
import { type Leadership, LostLead, storeProgress } from './relay-session.js';
import { Republication } from './republication.js';
import { splitByBytes } from './split-by-bytes.js';
import { stamp } from './stamp.js';

const LONGEST_PAUSE_MS = 2_000;

export interface PagePublisherOptions {
  readonly service: string;
  readonly pageSize: number;
  readonly logger: MessagingLogger;
  /** Of this process, whichever time it leads. */
  readonly trouble: Trouble;
  /** So long a page is tried before the lead is left to others. */
  readonly giveUpMs: number;
  /** Called when a page is dealt with, whatever became of it. */
  readonly onPage: () => void;
  /** True when publishing must end: shutdown, or the lead is lost. */
  readonly stopped: () => boolean;
}

/** Hands a complete stretch of the log to the bus, page by page, during one leadership. */
export class PagePublisher {
  /** Everything up to here is on the bus or in quarantine. */
  published: bigint;
  private sinceDay: string | null = null;
  private readonly again: Republication;
  private careAt = -Infinity;

  constructor(
    private readonly session: DedicatedConnection,
    private readonly lead: Leadership,
    private readonly bus: BusPort,
    private readonly quarantine: Quarantine,
    private readonly topics: PublishedTopics,
    private readonly options: PagePublisherOptions,
  ) {
    this.published = lead.publishedUpTo;
    this.again = new Republication(session, lead, bus, topics, options);
  }

  /** What keeps events in the outbox, and since when. */
  stall(): Stall | null {
    const stall = oldest([this.options.trouble.stall(), this.topics.stall()]);
    if (!stall || this.topics.lost.size === 0) return stall;
    return { ...stall, error: `${stall.error}; what lost topics held is published again first` };
  }

  /** Publishes again what a topic held that was lost; what fails is tried again with the next publication, or look. */
  async restoreTopics(onLoss: () => void): Promise<void> {
    this.topics.glance(onLoss);
    if (!this.topics.needCare || performance.now() < this.careAt) return;
    const outcome = await this.attempt(0, () => this.again.secure(this.topics.ownTopics, this.published));
    if (outcome !== 'done') this.careAt = performance.now() + LONGEST_PAUSE_MS;
  }

  /** Publishes `(published, hi]`, of which every transaction has ended. False when interrupted. */
  async publishUpTo(hi: bigint): Promise<boolean> {
    const { pageSize, stopped } = this.options;
    while (!stopped()) {
      const rows = await this.nextPage(hi);
      const last = rows.length < pageSize;
      const pages = splitByBytes(rows);
      for (const [index, page] of pages.entries()) {
        const upTo = last && index === pages.length - 1 ? hi : page.at(-1)!.id;
        if (!(await this.publishPage(page, upTo))) return false;
      }
      if (last) return true;
    }
    return false;
  }

  /**
   * The next rows in `(published, hi]`. Old partitions are skipped only where no id is missing: a clock that was wrong gives ids or rows
   * other days. Ids are also missing where a transaction was rolled back; such a page is read twice.
   */
  private async nextPage(hi: bigint): Promise<OutboxRecord[]> {
    const { pageSize } = this.options;
    const read = (sinceDay: string | null): Promise<OutboxRecord[]> =>
      readOutbox(
        async (sql, params) => (await this.session.query(sql, params)).rows,
        this.published,
        hi,
        pageSize,
        sinceDay,
      );
    const rows = await read(this.sinceDay);
    const end = rows.length < pageSize ? hi : rows.at(-1)!.id;
    return this.sinceDay === null || BigInt(rows.length) === end - this.published ? rows : read(null);
  }

  /** Tries events that were put aside again, in order, as far as an operator released them. */
  async publishReleased(): Promise<void> {
    for (const id of await this.quarantine.releasedIds()) {
      const [row] = await readOutbox(
        async (sql, params) => (await this.session.query(sql, params)).rows,
        id - 1n,
        id,
        1,
        null,
      );
      // Its aggregate waits again, in order; the others go on.
      if (row && !(await this.isAccepted(row))) {
        await this.quarantine.keep(row);
        return this.publishReleased();
      }
      await this.quarantine.remove(id);
      if (row) await storeProgress(this.session, this.lead, [row], null);
    }
  }

  /** Publishes an event out of its place. False when it is refused as before. */
  private async isAccepted(row: OutboxRecord): Promise<boolean> {
    const { service, logger } = this.options;
    await this.again.secure([row.topic], this.published);
    try {
      const records = this.topics.placed([stamp({ ...row, released: true }, this.lead, 'released')]);
      await this.bus.publish({ producer: service, after: this.published, upTo: this.published, records });
      this.topics.took([row]);
      return true;
    } catch (error) {
      if (!(error instanceof BusRefusal)) throw error;
      const { eventId, type } = row;
      logger.error({ eventId, type, service, error: error.message }, 'the bus refused a released event again');
      return false;
    }
  }

  /** @throws BusAway */
  private async publishPage(rows: readonly OutboxRecord[], upTo: bigint): Promise<boolean> {
    const givesUpAt = performance.now() + this.options.giveUpMs;
    const records = (await this.quarantine.divert(rows)).map((row) => stamp(row, this.lead));
    let hasFailed = false;
    for (let attempt = 0; ; attempt++) {
      // Its session may have ended meanwhile, because nothing was asked there.
      if (this.options.stopped() && hasFailed) throw new BusAway();
      if (this.options.stopped()) return false;
      const outcome = await this.attempt(attempt, async () => {
        if (records.length > 0)
          await this.again.secure(
            records.map(({ topic }) => topic),
            this.published,
          );
        const placed = this.topics.placed(records);
        await this.bus.publish({ producer: this.options.service, after: this.published, upTo, records: placed });
      });
      if (outcome instanceof BusRefusal) return this.publishOneByOne(rows, upTo, outcome);
      if (outcome === 'done') break;
      hasFailed = true;
      if (performance.now() > givesUpAt) throw new BusAway();
      await sleep(Math.min(50 * 2 ** Math.min(attempt, 6), LONGEST_PAUSE_MS));
    }
    this.topics.took(records);
    await storeProgress(this.session, this.lead, records, upTo);
    this.published = upTo;
    this.options.onPage();
    const newest = records.at(-1);
    // Two days of slack: a row's day is that of its transaction's begin, ids are drawn later. It need not be right.
    if (newest) this.sinceDay = dayOfEvent(newest.eventId, -2);
    return true;
  }

  /**
   * Does something that needs the bus, and takes note of how that went.
   * @throws LostLead, BusAway
   */
  private async attempt(attempt: number, work: () => Promise<void>): Promise<'done' | 'failed' | BusRefusal> {
    this.options.trouble.tried();
    try {
      await work();
      this.options.trouble.passed();
      return 'done';
    } catch (error) {
      if (error instanceof LostLead) throw error;
      if (error instanceof BusRefusal) {
        this.options.trouble.passed();
        return error;
      }
      this.options.trouble.failed(error);
      this.topics.distrust();
      if (error instanceof BusAway) throw error;
      const { logger, service } = this.options;
      logger.warn({ error: String(error), attempt, service }, 'the bus does not take events');
      return 'failed';
    }
  }

  /** The bus refused something in this page: everything else goes on, the culprit and what follows it wait apart. */
  private async publishOneByOne(rows: readonly OutboxRecord[], upTo: bigint, refusal: BusRefusal): Promise<boolean> {
    const [only, second] = rows;
    if (only && !second) {
      const { eventId, type } = only;
      this.options.logger.error(
        { eventId, type, service: this.options.service, error: refusal.message },
        'the bus refused an event for good: quarantined',
      );
      await this.quarantine.add(only);
      await storeProgress(this.session, this.lead, [], upTo);
      this.published = upTo;
      return true;
    }
    for (const [index, record] of rows.entries()) {
      if (!(await this.publishPage([record], index === rows.length - 1 ? upTo : record.id))) return false;
    }
    return true;
  }
}
