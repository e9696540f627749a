import { type CustomTransportStrategy, type MessageHandler, Server } from '@nestjs/microservices';
import { eventOfType, type Topic } from '@kontor/contracts';
import { isObservable, lastValueFrom } from 'rxjs';
import { ApplyEvents } from '../inbox/apply-events.js';
import { parkUnreadable } from '../inbox/park-unreadable.js';
import type { BusPort, OffsetStore, RunningSubscription } from '../bus/bus-port.js';
import { withPatience } from '../patience.js';
import type { MessagingDatabase, MessagingLogger } from '../ports.js';
import { isLasting, oldest, type Stall, Trouble, UnderWay } from '../stall.js';
import type { ConsumerHandler } from './consumer-handler.js';
import { type ConsumeExtras, EVENT_TRANSPORT } from './consume.decorator.js';

/**
 * Nest's transport over the bus port: collects the `@Consume` methods of a service and subscribes its group once.
 * Nest's own Kafka server commits offsets past failures, so it is not used.
 */
export class EventServer extends Server implements CustomTransportStrategy {
  override readonly transportId = EVENT_TRANSPORT;
  override readonly propagatesEventHandlerErrors = true;
  private readonly registered: ConsumerHandler[] = [];
  private collected: ConsumerHandler[] | undefined;
  private subscription: RunningSubscription | undefined;
  private subscribing: Promise<void> = Promise.resolve();
  private closing = false;
  private apply: ApplyEvents | undefined;
  private readonly joining = new Trouble('consumer');
  private readonly underWay = new UnderWay('consumer');

  constructor(
    private readonly database: MessagingDatabase,
    private readonly bus: BusPort,
    private readonly offsets: OffsetStore,
    private readonly log: MessagingLogger,
  ) {
    super();
  }

  /** Adds a consumer without a class; before `listen`. */
  register(handler: ConsumerHandler): void {
    this.registered.push(handler);
  }

  /** Every consumer of this service. */
  handlers(): readonly ConsumerHandler[] {
    return this.collected ?? [...this.registered, ...[...this.messageHandlers.values()].map(toConsumerHandler)];
  }

  topics(): Topic[] {
    const types = this.handlers().flatMap((handler) => handler.types);
    return [...new Set(types.map((type) => eventOfType(type)!.topic))].sort();
  }

  /** What keeps this service's events from being dealt with, and since when. */
  stall(): Stall | null {
    const failing = this.subscription ? this.subscription.stall() : this.joining.stall();
    // It says more than what has not come back.
    return failing && isLasting(failing) ? failing : oldest([failing, this.underWay.stall()]);
  }

  /**
   * Calls back when the group is joined, or after a while without: a service starts, and answers, while the bus is
   * away, and consumes from when it is back.
   */
  listen(callback: (error?: unknown, ...rest: unknown[]) => void): void {
    this.subscribing = this.subscribe();
    withPatience(this.subscribing).then(
      () => callback(),
      (error: unknown) => callback(error),
    );
  }

  private async subscribe(): Promise<void> {
    this.collected = [...this.handlers()];
    if (this.collected.length === 0) return;
    this.joining.tried();
    const apply = (this.apply = new ApplyEvents(this.database, this.collected, this.log, this.underWay));
    const topics = this.topics();
    await this.bus.prepare(topics);
    if (this.closing) return;
    this.subscription = await this.bus.subscribe({
      group: this.database.serviceName,
      topics,
      offsets: {
        ...this.offsets,
        advance: (moves, lasting) => this.underWay.watch('positions', () => this.offsets.advance(moves, lasting)),
      },
      handle: (events) => apply.execute(events),
      compared: (behind) => this.database.refuseWrites?.(behind),
      putAside: (messages) => parkUnreadable(this.database, this.database.serviceName, messages),
    });
  }

  /** The database was away, and is back: requests wait with their writes until it is known whether it is the one that it was. */
  compareAgain(): void {
    if (!this.subscription?.compareAgain) return;
    const compared = withPatience(this.subscription.compareAgain());
    this.database.holdWrites?.(compared);
  }

  /** Finishes what is being applied and begins no more. */
  async close(): Promise<void> {
    this.closing = true;
    this.joining.passed();
    this.apply?.stop();
    await withPatience(
      this.subscribing.catch(() => undefined),
      1_000,
    );
    await this.subscription?.stop();
    this.subscription = undefined;
  }

  on(): never {
    throw new Error('the event transport emits nothing');
  }

  unwrap<T>(): T {
    return this.bus as T;
  }
}

function toConsumerHandler(callback: MessageHandler): ConsumerHandler {
  const { consumer, types, batch, concerns } = callback.extras as unknown as ConsumeExtras;
  return {
    consumer,
    types,
    batch,
    ...(concerns && { concerns }),
    async invoke(input, tx) {
      const result: unknown = await callback(input, tx);
      if (isObservable(result)) await lastValueFrom(result, { defaultValue: undefined });
    },
  };
}
