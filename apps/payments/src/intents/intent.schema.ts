import { type Static, Type } from '@sinclair/typebox';
import { id, money, nullable } from '../schema-parts.js';

export const INTENT_STATUSES = ['open', 'processing', 'succeeded', 'failed', 'cancelled'];

export const INTENT_SCHEMA = Type.Object(
  {
    id,
    invoiceId: nullable('string', { format: 'uuid' }),
    topUpId: nullable('string', { format: 'uuid' }),
    customerId: id,
    amount: money,
    openAmount: money,
    creditAppliedAmount: money,
    status: Type.Unsafe<string>({ type: 'string', enum: INTENT_STATUSES }),
    paymentMethodId: nullable('string', { format: 'uuid' }),
    paidAt: nullable('string', { format: 'date-time' }),
    failReason: nullable('string'),
    attempts: Type.Integer({
      description: 'How many collections were started since it was last paid or got another method.',
    }),
    nextRetryAt: nullable('string', {
      format: 'date-time',
      description: 'When a failed collection is tried again by itself.',
    }),
    collectionDate: nullable('string', {
      format: 'date',
      description: 'The day of the direct debit that is under way.',
    }),
    createdAt: Type.String({ format: 'date-time' }),
  },
  { $id: 'PaymentIntent' },
);
export type IntentView = Static<typeof INTENT_SCHEMA>;
