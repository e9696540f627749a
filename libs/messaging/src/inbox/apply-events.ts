import type { EventEnvelope, EventHeaders } from '@kontor/contracts';
import type { Tx } from '@kontor/kernel';
import type { ConsumerHandler } from '../consumer/consumer-handler.js';
import { withEventHeaders } from '../consumer/event-context.js';
import { type MessagingDatabase, type MessagingLogger, messagingHooks } from '../ports.js';
import { claimEvents } from './claim-events.js';
import { isTransient } from './classify-error.js';
import { parkBehind, parkPoison } from './park.js';
import { type Chunk, planChunks } from './plan-chunks.js';
import { UnderWay } from '../stall.js';

/** How often a message is tried before it counts as poison. */
export const POISON_TRIES = 5;

/**
 * Applies delivered events to the handlers of one service: each consumer gets each event once, in order per
 * aggregate. Returning means dealt with; throwing means transient, deliver again.
 */
export class ApplyEvents {
  private readonly byConsumer = new Map<string, Map<string, ConsumerHandler>>();
  private stopping = false;

  constructor(
    private readonly database: MessagingDatabase,
    handlers: readonly ConsumerHandler[],
    private readonly logger: MessagingLogger,
    private readonly underWay = new UnderWay('consumer'),
  ) {
    for (const handler of handlers) {
      const types = this.byConsumer.get(handler.consumer) ?? new Map<string, ConsumerHandler>();
      for (const type of handler.types) {
        if (types.has(type)) throw new Error(`consumer ${handler.consumer} handles ${type} twice`);
        types.set(type, handler);
      }
      this.byConsumer.set(handler.consumer, types);
    }
  }

  /** Begins nothing more: a long page ends as if it had failed, and is delivered again after the next start. */
  stop(): void {
    this.stopping = true;
  }

  async execute(events: readonly EventEnvelope[]): Promise<void> {
    let failure: unknown;
    for (const handlers of this.byConsumer.values()) {
      try {
        for (const chunk of planChunks(events, handlers)) {
          if (this.stopping) throw new Error('the service is stopping');
          await this.applyChunk(chunk);
        }
      } catch (error) {
        // One consumer's trouble must not keep the event from the others.
        failure ??= error;
      }
    }
    if (failure !== undefined) throw failure;
  }

  private async applyChunk(chunk: Chunk): Promise<void> {
    const { applyAlone } = chunk.handler;
    if (applyAlone || chunk.events.length > 1) {
      try {
        if (applyAlone) return await this.underWay.watch(chunk.handler.consumer, () => applyAlone(chunk.events));
        const blocked = await this.transact(chunk, chunk.events);
        for (const event of blocked) await this.queueBehind(chunk, event);
        return;
      } catch (error) {
        if (isTransient(error)) throw error;
        this.logger.warn(
          { consumer: chunk.handler.consumer, events: chunk.events.length, error: String(error) },
          'a batch failed: one at a time',
        );
      }
    }
    for (const event of chunk.events) await this.applyOne(chunk, event);
  }

  private async applyOne(chunk: Chunk, event: EventEnvelope): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        const blocked = await this.transact(chunk, [event]);
        if (blocked.length > 0) await this.queueBehind(chunk, event);
        return;
      } catch (error) {
        if (isTransient(error)) throw error;
        if (tries < POISON_TRIES) continue;
        this.logger.error(
          { consumer: chunk.handler.consumer, eventId: event.eventId, type: event.type, error: String(error) },
          'message parked',
        );
        await parkPoison(this.database, chunk.handler.consumer, event, error);
        return;
      }
    }
  }

  private async queueBehind(chunk: Chunk, event: EventEnvelope): Promise<void> {
    if (!(await parkBehind(this.database, chunk.handler.consumer, event))) await this.applyOne(chunk, event);
  }

  /** Inbox rows and effect in one transaction; returns the events that wait behind a parked one. */
  private transact(chunk: Chunk, events: readonly EventEnvelope[]): Promise<readonly EventEnvelope[]> {
    const { handler, tenantId } = chunk;
    const run = (): Promise<readonly EventEnvelope[]> =>
      this.database.tenant(
        tenantId,
        async (tx) => {
          const { fresh, blocked } = handler.guarded
            ? { fresh: events, blocked: [] }
            : await claimEvents(tx, handler.consumer, tenantId, events);
          if (fresh.length > 0) await invokeHandler(handler, fresh, tx);
          return blocked;
        },
        { now: latest(events) },
      );
    const inContext = (): Promise<readonly EventEnvelope[]> =>
      withContext(events.length === 1 ? events[0]!.headers : undefined, run);
    return this.underWay.watch(handler.consumer, inContext);
  }
}

/** Calls a handler in the form it asks for. */
export const invokeHandler = (handler: ConsumerHandler, events: readonly EventEnvelope[], tx: Tx): Promise<void> =>
  handler.batch ? handler.invoke(events, tx) : handler.invoke(events[0]!, tx);

/** Sets what `appendEvent` and the logs find as the cause. */
export function withContext<T>(headers: EventHeaders | undefined, work: () => Promise<T>): Promise<T> {
  const wrapped = (): Promise<T> => withEventHeaders(headers, work);
  return messagingHooks().runWithHeaders?.(headers ?? {}, wrapped) ?? wrapped();
}

const latest = (events: readonly EventEnvelope[]): Date =>
  new Date(Math.max(...events.map((event) => Date.parse(event.effectiveAt))));
