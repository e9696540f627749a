/** A stored usage event, as far as metrics count it. */
export interface CountedEvent {
  /** The 16 bytes of the ULID that clients see, in UUID form. */
  readonly id: string;
  readonly eventName: string;
  /** UUID of the customer. */
  readonly customerId: string;
  /** When it was consumed, as the client says. */
  readonly occurredAt: Date;
  readonly properties: Readonly<Record<string, unknown>>;
}
