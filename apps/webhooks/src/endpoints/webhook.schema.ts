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
export type WebhookJson = Static<typeof Webhook>;
