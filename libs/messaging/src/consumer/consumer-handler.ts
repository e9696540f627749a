import type { EventEnvelope } from '@kontor/contracts';
import type { Tx } from '@kontor/kernel';

/** One method that applies events of some types. A consumer is all handlers of one name; its inbox is shared by them. */
export interface ConsumerHandler {
  readonly consumer: string;
  readonly types: readonly string[];
  /** Takes up to 500 events of one tenant in one transaction. */
  readonly batch: boolean;
  /** False for an event that would have no effect, by its contents alone; absent: all may have one. */
  concerns?(event: EventEnvelope): boolean;
  /**
   * Applying an event again, or after a later one of its aggregate, changes nothing: it needs no inbox, and does not wait behind a
   * parked one.
   */
  readonly guarded?: boolean;
  /** For a guarded one: applies a batch of one tenant by itself, by fewer round trips than a transaction takes. */
  applyAlone?(events: readonly EventEnvelope[]): Promise<void>;
  invoke(input: EventEnvelope | readonly EventEnvelope[], tx: Tx): Promise<void>;
}
