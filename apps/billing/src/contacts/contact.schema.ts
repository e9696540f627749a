import { type Static, Type } from '@sinclair/typebox';
import { Instant, oneOf, TextOrNull, Uuid } from '../schema.js';

export const customerGroupSchema = Type.Object(
  {
    id: Uuid,
    name: Type.String(),
    description: TextOrNull,
    status: oneOf(['active', 'archived']),
    createdAt: Instant,
    updatedAt: Instant,
  },
  { $id: 'CustomerGroup' },
);
export type CustomerGroupJson = Static<typeof customerGroupSchema>;

export const contactPersonSchema = Type.Object(
  {
    id: Uuid,
    customerId: Uuid,
    salutation: TextOrNull,
    firstName: TextOrNull,
    lastName: Type.String(),
    email: TextOrNull,
    phone: TextOrNull,
    role: TextOrNull,
    createdAt: Instant,
    updatedAt: Instant,
  },
  { $id: 'ContactPerson' },
);
export type ContactPersonJson = Static<typeof contactPersonSchema>;

export const customerEmailSchema = Type.Object(
  { id: Uuid, customerId: Uuid, email: Type.String({ format: 'email' }), default: Type.Boolean() },
  { $id: 'CustomerEmail' },
);
export type CustomerEmailJson = Static<typeof customerEmailSchema>;
