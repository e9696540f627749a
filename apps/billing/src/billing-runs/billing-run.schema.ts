import { type Static, Type } from '@sinclair/typebox';
import { Instant, oneOf, orNull, Uuid } from '../schema.js';

export const billingRunSchema = Type.Object(
  {
    id: Uuid,
    date: Type.String({ format: 'date' }),
    status: oneOf(['running', 'completed']),
    due: Type.Integer({ description: 'How many subscriptions had something to bill.' }),
    billed: Type.Integer(),
    failed: Type.Integer(),
    failures: Type.Array(Type.Object({ subscriptionId: Uuid, reason: Type.String() })),
    invoiceIds: Type.Array(Uuid),
    createdAt: Instant,
    completedAt: orNull(Instant),
  },
  { $id: 'BillingRun' },
);
export type BillingRunJson = Static<typeof billingRunSchema>;
