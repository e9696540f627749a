import { type Static, Type } from '@sinclair/typebox';
import { Instant, Uuid } from '../schema-types.js';

export const CustomerActivity = Type.Object(
  {
    id: Uuid,
    dateTime: Instant,
    type: Type.String(),
    user: Type.Unsafe<Record<string, unknown> | null>({ type: ['object', 'null'], additionalProperties: true }),
    metadata: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
    pinned: Type.Boolean(),
  },
  { $id: 'CustomerActivity' },
);
export type CustomerActivityJson = Static<typeof CustomerActivity>;
