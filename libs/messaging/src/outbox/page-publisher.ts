import { setTimeout as sleep } from 'node:timers/promises';
import { type BusPort, BusRefusal, type OutboxRecord } from '../bus/bus-port.js';
import { dayOfEvent } from '../inbox/event-day.js';
import type { DedicatedConnection, MessagingLogger } from '../ports.js';
import { readOutbox } from './outbox-log.js';
import type { Quarantine } from './quarantine.js';
import { type Leadership, storeProgress } from './relay-session.js';

const MAX_PAGE_BYTES = 4 * 1024 * 1024;

export interface PagePublisherOptions {
  readonly service: string;
  readonly pageSize: number;
  readonly logger: MessagingLogger;
  /** True when publishing must end: shutdown, or the lead is lost. */
  readonly stopped: () => boolean;
}

/** Hands a complete stretch of the log to the bus, page by page, during one leadership. */
export class PagePublisher {
  /** Everything up to here is on the bus or in quarantine. */
  published: bigint;
  private sinceDay: string | null = null;

  constructor(
    private readonly session: DedicatedConnection,
    private readonly lead: Leadership,
    private readonly bus: BusPort,
    private readonly quarantine: Quarantine,
    private readonly options: PagePublisherOptions,
  ) {
    this.published = lead.publishedUpTo;
  }

  /** Publishes `(published, hi]`, of which every transaction has ended. False when interrupted. */
  async publishUpTo(hi: bigint): Promise<boolean> {
    const { pageSize, stopped } = this.options;
    while (!stopped()) {
      const rows = await readOutbox(
        async (sql, params) => (await this.session.query(sql, params)).rows,
        this.published,
        hi,
        pageSize,
        this.sinceDay,
      );
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
      if (row)
        await this.bus.publish({
          producer: this.options.service,
          after: this.published,
          upTo: this.published,
          records: [this.stamp(row, true)],
        });
      await this.quarantine.remove(id);
      if (row) await storeProgress(this.session, this.lead, [row], null);
    }
  }

  private async publishPage(rows: readonly OutboxRecord[], upTo: bigint): Promise<boolean> {
    const records = (await this.quarantine.divert(rows)).map((row) => this.stamp(row));
    for (let attempt = 0; ; attempt++) {
      if (this.options.stopped()) return false;
      try {
        await this.bus.publish({ producer: this.options.service, after: this.published, upTo, records });
        break;
      } catch (error) {
        if (error instanceof BusRefusal) return this.publishOneByOne(rows, upTo, error);
        this.options.logger.warn(
          { error: String(error), attempt, service: this.options.service },
          'the bus does not take events',
        );
        await sleep(Math.min(50 * 2 ** Math.min(attempt, 6), 2_000));
      }
    }
    await storeProgress(this.session, this.lead, records, upTo);
    this.published = upTo;
    const newest = records.at(-1);
    // Two days of slack: a row's day is that of its transaction's begin, ids are drawn later.
    if (newest) this.sinceDay = dayOfEvent(newest.eventId, -2);
    return true;
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

  /** Epoch and position order events even after a database was restored. */
  private stamp(row: OutboxRecord, isReleased = false): OutboxRecord {
    const place = `"epoch":${this.lead.epoch},"position":${row.id}${isReleased ? ',"released":true' : ''}`;
    return { ...row, headers: row.headers === '{}' ? `{${place}}` : `{${place},${row.headers.slice(1)}` };
  }
}

/** At least one page, also when there is no row: the stretch without rows counts as published too. */
function splitByBytes(rows: readonly OutboxRecord[]): OutboxRecord[][] {
  const pages: OutboxRecord[][] = [[]];
  let bytes = 0;
  for (const row of rows) {
    bytes += row.payload.length;
    if (bytes > MAX_PAGE_BYTES && pages.at(-1)!.length > 0) {
      pages.push([]);
      bytes = row.payload.length;
    }
    pages.at(-1)!.push(row);
  }
  return pages;
}
