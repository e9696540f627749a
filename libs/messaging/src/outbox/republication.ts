import type { Topic } from '@kontor/contracts';
import { type BusPort, BusRefusal, type OutboxRecord } from '../bus/bus-port.js';
import type { DedicatedConnection, MessagingLogger } from '../ports.js';
import { readAgain } from './outbox-log.js';
import type { PublishedTopics } from './published-topics.js';
import type { Leadership } from './relay-session.js';
import { splitByBytes } from './split-by-bytes.js';
import { stamp } from './stamp.js';

/** Rows of the log that one look covers: most may be other topics'. */
const STRETCH = 5_000n;

export interface RepublicationOptions {
  readonly service: string;
  readonly pageSize: number;
  readonly logger: MessagingLogger;
  readonly stopped: () => boolean;
}

/**
 * Publishes again, in order and before anything newer, what the outbox still holds of topics that were lost. It does not ask who had read
 * how far: that would need every consumer to be there. Each one goes on from its own position and passes over what lies before it.
 */
export class Republication {
  /** Null: it has not begun. */
  private after: bigint | null = null;
  private count = 0;

  constructor(
    private readonly session: DedicatedConnection,
    private readonly lead: Leadership,
    private readonly bus: BusPort,
    private readonly topics: PublishedTopics,
    private readonly options: RepublicationOptions,
  ) {}

  /**
   * Afterwards these topics hold what they should, of all that was published up to `upTo`. What fails goes on where it was, unless a topic was
   * lost again meanwhile.
   * @throws Error while the bus does not take it
   */
  async secure(topics: readonly Topic[], upTo: bigint): Promise<void> {
    await this.look(topics, upTo);
    while (this.topics.lost.size > 0) {
      this.after ??= await this.beginning();
      while (this.after < upTo) this.after = await this.publishNext(this.after, upTo);
      // What was lost on the way, and made anew by somebody else, took its part without a word.
      this.topics.distrust();
      if (await this.look([], upTo)) continue;
      await this.topics.restored();
      const { service, logger } = this.options;
      logger.warn({ service, events: this.count }, 'what the outbox holds of the lost topics is published again');
    }
  }

  private async look(topics: readonly Topic[], publishedUpTo: bigint): Promise<boolean> {
    const found = await this.topics.look(topics, publishedUpTo);
    if (found.length === 0) return false;
    const { service, logger } = this.options;
    logger.warn({ service, topics: found }, 'topics were lost: what the outbox holds of them is published again');
    this.after = null;
    this.count = 0;
    return true;
  }

  private async beginning(): Promise<bigint> {
    const { rows } = await this.session.query('SELECT min(id) - 1 AS before FROM outbox');
    return BigInt((rows[0] as { before: string | null }).before ?? 0);
  }

  /** @returns up to where it is done. */
  private async publishNext(after: bigint, upTo: bigint): Promise<bigint> {
    const { pageSize, stopped } = this.options;
    if (stopped()) throw new Error('the relay stops');
    const end = after + STRETCH < upTo ? after + STRETCH : upTo;
    const rows = await readAgain(
      async (sql, params) => (await this.session.query(sql, params)).rows,
      [...this.topics.lost],
      after,
      end,
      pageSize,
    );
    for (const page of splitByBytes(rows)) if (page.length > 0) await this.publish(page);
    return rows.length === pageSize ? rows.at(-1)!.id : end;
  }

  private async publish(rows: readonly OutboxRecord[]): Promise<void> {
    const { service, logger } = this.options;
    const last = rows.at(-1)!.id;
    const stamped = rows.map((row) => stamp(row, this.lead, row.released ? 'released' : 'again'));
    const records = this.topics.placed(stamped);
    try {
      await this.bus.publish({ producer: service, after: last, upTo: last, records });
      this.topics.took(records);
      this.count += records.length;
    } catch (error) {
      if (!(error instanceof BusRefusal)) throw error;
      if (rows.length > 1) {
        for (const row of rows) await this.publish([row]);
        return;
      }
      // It was taken once, so that it is counted; put aside, it would be counted again.
      const { eventId, type } = rows[0]!;
      logger.error({ eventId, type, service, error: error.message }, 'the bus refuses an event that it had taken');
    }
  }
}
