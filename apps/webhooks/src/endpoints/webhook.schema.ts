import { type Static, Type } from '@sinclair/typebox';
import { Instant, orNull, Uuid } from '../schema-types.js';
import type { DisabledReason } from './endpoint.row.js';

export const Webhook = Type.Object(
  {
    id: Uuid,
    url: Type.String(),
    events: Type.Array(Type.String()),
    enabled: Type.Boolean(),
    disabledReason: Type.Unsafe<DisabledReason | null>({
      type: ['string', 'null'],
      enum: ['manual', 'gone', 'failing', null],
    }),
    description: orNull(Type.String()),
    secret: Type.Optional(Type.String({ description: 'Only in the answers of creation and of rotate-secret.' })),
    createdAt: Instant,
  },
  { $id: 'Webhook' },
);
/** One event that receivers can ask for. */
export const EventType = Type.Object(
  {
    type: Type.String({ description: 'Name, as in `events` of a receiver' }),
    description: Type.String(),
    example: Type.Record(Type.String(), Type.Unknown(), { description: 'The body of a delivery' }),
  },
  { $id: 'EventType' },
);
export type WebhookJson = Static<typeof Webhook>;
