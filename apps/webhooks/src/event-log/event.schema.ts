import { type Static, Type } from '@sinclair/typebox';
import { Instant, orNull, Uuid } from '../schema-types.js';

export const LoggedEvent = Type.Object(
  {
    id: Type.String(),
    type: Type.String(),
    version: Type.String(),
    createdAt: Instant,
    sequence: Type.Integer({ description: 'Counts the events of one object, from 1.' }),
    objectId: Type.String(),
    customerId: orNull(Uuid),
    data: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
  },
  { $id: 'Event' },
);
export type LoggedEventJson = Static<typeof LoggedEvent>;
