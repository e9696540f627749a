import { type Static, Type } from '@sinclair/typebox';
import { Instant, oneOf, orNull } from '../schema-types.js';

export const WebhookDelivery = Type.Object(
  {
    id: Type.String(),
    eventId: Type.String(),
    eventType: Type.String(),
    status: oneOf(['pending', 'delivered', 'failed']),
    attempts: Type.Array(
      Type.Object({
        at: Instant,
        responseStatus: orNull(Type.Integer()),
        durationMs: Type.Integer(),
        error: orNull(Type.String()),
      }),
    ),
    nextAttemptAt: orNull(Instant),
  },
  { $id: 'WebhookDelivery' },
);
export type WebhookDeliveryJson = Static<typeof WebhookDelivery>;
