/** What a delivery announces. */
export interface AnnouncedEvent {
  readonly deliveryId: string;
  readonly type: string;
  /** Counts per object. */
  readonly sequence: number;
  /** The tenant's time. */
  readonly createdAt: Date;
  /** JSON text, `{"invoice": …}`. */
  readonly data: string;
}

/** The body of a delivery: the same bytes on every attempt. @see docs/rules/webhooks.md#body */
export function deliveryBody(event: AnnouncedEvent): string {
  const head = {
    id: event.deliveryId,
    type: event.type,
    version: 'v1',
    createdAt: event.createdAt.toISOString(),
    sequence: event.sequence,
  };
  return `{"event":${JSON.stringify(head)},"salesChannel":null,"data":${event.data}}`;
}
