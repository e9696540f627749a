import { type Static, Type } from '@sinclair/typebox';
import { Instant, orNull, Uuid } from '../schema-types.js';

/** Somebody who works for the tenant, as they are called now. */
const Actor = Type.Object({
  user: Type.Object({ firstName: Type.String(), lastName: Type.String(), email: Type.String() }),
  deactivated: Type.Boolean({ description: 'Whether they work here no more.' }),
  avatar: Type.String({ description: 'Address of their picture; empty: none.' }),
  fullName: Type.String({ description: 'First and last name.' }),
  initial: Type.String({ description: 'First letters of both names.' }),
  gravatarUrl: Type.String({ description: 'Address of their picture at Gravatar.' }),
});

export const CustomerActivity = Type.Object(
  {
    id: Uuid,
    dateTime: Instant,
    type: Type.String(),
    user: orNull(Actor),
    metadata: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
    pinned: Type.Boolean(),
  },
  { $id: 'CustomerActivity' },
);
export type CustomerActivityJson = Static<typeof CustomerActivity>;
