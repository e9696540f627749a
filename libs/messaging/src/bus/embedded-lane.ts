import type { Topic } from '@kontor/contracts';
import type { MessagingLogger } from '../ports.js';
import { type Stall, Trouble } from '../stall.js';
import type { OutboxRecord, Subscription } from './bus-port.js';
import { fromMemory, type ProducerState } from './producer-state.js';
import { envelopeOf } from './envelope.js';

const PAGE = 500;
const BACK_OFF_MS = { first: 50, max: 2_000 };

/** One topic of one consumer group: reads its producer's log in order, page by page, and keeps the group's offset. */
export class EmbeddedLane {
  private stopping = false;
  private pending = true;
  private position = 0n;
  private stored = 0n;
  /** Where the group stands has to be asked. */
  private isUnsure = true;
  private rouse: () => void = () => undefined;
  private running: Promise<void> | undefined;
  private readonly trouble = new Trouble('consumer');

  constructor(
    private readonly subscription: Subscription,
    readonly topic: Topic,
    private readonly producer: () => ProducerState | undefined,
    private readonly logger: MessagingLogger,
  ) {}

  start(): void {
    this.running = this.run();
  }

  stall(): Stall | null {
    return this.trouble.stall();
  }

  wake(): void {
    this.pending = true;
    this.rouse();
  }

  /** The database may have come back without what it had not written to its disk yet: where the group stands is asked anew. */
  compareAgain(): void {
    this.isUnsure = true;
    this.wake();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    this.rouse();
    await this.running;
  }

  private async run(): Promise<void> {
    for (let failures = 0; !this.stopping;) {
      try {
        this.pending = false;
        const more = await this.step();
        failures = 0;
        this.trouble.passed();
        if (!more && !this.pending && !this.stopping) await this.sleep();
      } catch (error) {
        failures++;
        this.trouble.failed(`${this.topic}: ${String(error)}`);
        const pauseMs = Math.min(BACK_OFF_MS.first * 2 ** (failures - 1), BACK_OFF_MS.max);
        this.logger.warn(
          { group: this.subscription.group, topic: this.topic, error: String(error), pauseMs },
          'consumer pauses',
        );
        // Woken by stop() only: more events do not repair what is broken.
        await this.backOff(pauseMs);
      }
    }
  }

  /** Handles the next page. True when there may be more. */
  private async step(): Promise<boolean> {
    const producer = this.producer();
    if (!producer) return false;
    const position = await this.whereItStands();
    const upTo = producer.stableUpTo;
    if (position >= upTo) return false;
    const records = (await this.read(producer, position, upTo)).slice(0, PAGE);
    const end = records.length < PAGE ? upTo : records.at(-1)!.id;
    if (records.length > 0) await this.subscription.handle(records.map(envelopeOf));
    // Stretches without events of this topic are cheap to skip again, so their end is stored only now and then.
    if (records.length > 0 || end - this.stored > 5_000n) await this.store(end, records);
    if (!this.isUnsure) this.position = end;
    return this.isUnsure || producer.stableUpTo > end;
  }

  private async whereItStands(): Promise<bigint> {
    if (!this.isUnsure) return this.position;
    this.isUnsure = false;
    try {
      return (this.stored = this.position = await this.subscription.offsets.load(this.topic));
    } catch (error) {
      this.isUnsure = true;
      throw error;
    }
  }

  private async read(producer: ProducerState, after: bigint, upTo: bigint): Promise<OutboxRecord[]> {
    const remembered = fromMemory(producer, this.topic, after);
    return remembered?.filter((record) => record.id <= upTo) ?? producer.log.read(this.topic, after, upTo, PAGE);
  }

  /** Positions do not last beyond a crash of the database alone: one that is further back is followed, so that every event is counted. */
  private async store(end: bigint, records: readonly OutboxRecord[]): Promise<void> {
    const events = records.map(({ id, tenantId, type }) => ({ position: id, logPosition: id, tenantId, type }));
    const first = this.stored > 0n ? { first: this.stored + 1n } : {};
    const behind = await this.subscription.offsets.advance(
      [{ lane: this.topic, position: end, events, ...first }],
      false,
    );
    if (behind.length > 0) this.isUnsure = true;
    else this.stored = end;
  }

  private sleep(): Promise<void> {
    return new Promise((resolve) => {
      this.rouse = resolve;
    });
  }

  private async backOff(ms: number): Promise<void> {
    const until = performance.now() + ms;
    while (!this.stopping && performance.now() < until) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.max(0, until - performance.now()));
        this.rouse = () => {
          if (!this.stopping) return;
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }
}
