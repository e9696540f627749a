import {
  type ArgumentsHost,
  applyDecorators,
  Catch,
  Controller,
  type RpcExceptionFilter,
  UseFilters,
} from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import type { EventDefinition, EventEnvelope } from '@kontor/contracts';
import { type Observable, throwError } from 'rxjs';

/** Lets a consumer's error through as it is: its class decides between retrying and parking. */
@Catch()
export class PassErrorOn implements RpcExceptionFilter {
  catch(error: unknown, _host: ArgumentsHost): Observable<never> {
    return throwError(() => error);
  }
}

export const EVENT_TRANSPORT = Symbol('kontor-events');

export interface ConsumeOptions {
  /** Up to 500 events of one tenant in one call and one transaction: `handle(events[], tx)`. */
  batch?: boolean;
  /** Name of the consumer in inbox, parked messages and counters; the class name if absent. Renaming applies everything again. */
  consumer?: string;
  /**
   * False for an event that would have no effect, by its contents alone: it gets no transaction and no inbox row. Most events of a
   * type that is published for every document or subscription are such for who waits for one of its states.
   */
  concerns?(event: EventEnvelope): boolean;
}

export interface ConsumeExtras {
  readonly consumer: string;
  readonly types: readonly string[];
  readonly batch: boolean;
  readonly concerns?: ((event: EventEnvelope) => boolean) | undefined;
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- any definition, whatever its payload
type AnyEvent = EventDefinition<any>;

/** A class that applies events of other services; registered among a module's `controllers`. */
export const EventConsumer = (): ClassDecorator => applyDecorators(Controller(), UseFilters(PassErrorOn));

/**
 * Marks `handle(event, tx)` as a consumer of one or several events. It runs inside a transaction of the event's
 * tenant that also holds the inbox row, with `tx.now` = the event's `effectiveAt` (in a batch: the latest; all lie on
 * the same local day). An error rolls everything back: connection trouble is retried for ever, any other error five
 * times, then the message is parked and its aggregate waits.
 */
export function Consume(definitions: AnyEvent | readonly AnyEvent[], options: ConsumeOptions = {}): MethodDecorator {
  const types = ([] as AnyEvent[]).concat(definitions as AnyEvent).map((definition) => definition.type);
  return (target, key, descriptor) => {
    const { consumer = target.constructor.name, batch = false, concerns } = options;
    const extras: ConsumeExtras = { consumer, types, batch, concerns };
    EventPattern({ consumer, method: String(key) }, EVENT_TRANSPORT, extras)(target, key, descriptor);
    Payload()(target, key, 0);
    Ctx()(target, key, 1);
  };
}
