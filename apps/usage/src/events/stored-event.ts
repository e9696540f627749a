/** One usage event as it is kept: what aggregations, lists and corrections read. */
export interface StoredEvent {
  /** The 16 bytes of the ULID that clients see, in UUID form. */
  readonly id: string;
  readonly transactionId: string;
  readonly eventName: string;
  /** UUID of the customer. */
  readonly customerId: string;
  /** When it was consumed, as the client says. */
  readonly occurredAt: Date;
  /** When it was taken, by the tenant's clock. */
  readonly createdAt: Date;
  readonly properties: Readonly<Record<string, unknown>>;
}
