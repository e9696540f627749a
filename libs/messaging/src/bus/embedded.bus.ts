import type { Topic } from '@kontor/contracts';
import type { MessagingLogger } from '../ports.js';
import { silentLogger } from '../ports.js';
import { oldest } from '../stall.js';
import type { BusPort, LogPage, OutboxLog, RunningSubscription, Subscription } from './bus-port.js';
import { EmbeddedLane } from './embedded-lane.js';
import type { ProducerState } from './producer-state.js';

/** Pages kept in memory, so that a consumer that keeps up never reads the log. */
const RECENT_PAGES = 4;

/**
 * Events inside one process, as durable as the outbox: the outbox *is* the log, every consumer group keeps its own
 * offset in its own database and reads on from it. Publishing only moves the mark up to which the log is complete.
 */
export class EmbeddedBus implements BusPort {
  readonly kind = 'embedded';
  private readonly producers = new Map<string, ProducerState>();
  private readonly lanes = new Set<EmbeddedLane>();

  constructor(private readonly logger: MessagingLogger = silentLogger) {}

  async prepare(): Promise<void> {
    // A topic is a column of the outbox.
  }

  attachLog(log: OutboxLog, publishedUpTo: bigint): void {
    const known = this.producers.get(log.producer);
    if (known) known.log = log;
    else this.producers.set(log.producer, { log, stableUpTo: publishedUpTo, recent: [] });
    this.wake(log.producer);
  }

  async publish(page: LogPage): Promise<void> {
    const producer = this.producers.get(page.producer);
    if (!producer) throw new Error(`the log of ${page.producer} is not attached`);
    if (page.upTo <= producer.stableUpTo) return;
    if (page.after !== producer.stableUpTo) producer.recent = [];
    producer.recent = [...producer.recent, page].slice(-RECENT_PAGES);
    producer.stableUpTo = page.upTo;
    this.wake(page.producer);
  }

  async subscribe(subscription: Subscription): Promise<RunningSubscription> {
    const lanes = subscription.topics.map(
      (topic) => new EmbeddedLane(subscription, topic, () => this.producers.get(producerOf(topic)), this.logger),
    );
    for (const lane of lanes) {
      this.lanes.add(lane);
      lane.start();
    }
    return {
      stop: async () => {
        await Promise.all(lanes.map((lane) => lane.stop()));
        for (const lane of lanes) this.lanes.delete(lane);
      },
      stall: () => oldest(lanes.map((lane) => lane.stall())),
      compareAgain: () => {
        for (const lane of lanes) lane.compareAgain();
        return Promise.resolve();
      },
    };
  }

  async close(): Promise<void> {
    await Promise.all([...this.lanes].map((lane) => lane.stop()));
    this.lanes.clear();
    this.producers.clear();
  }

  private wake(producer: string): void {
    for (const lane of this.lanes) if (producerOf(lane.topic) === producer) lane.wake();
  }
}

/** Topics are `owner.aggregate`. */
export const producerOf = (topic: Topic): string => topic.slice(0, topic.indexOf('.'));
