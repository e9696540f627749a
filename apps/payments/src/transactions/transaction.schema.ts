import { type Static, Type } from '@sinclair/typebox';
import { METHOD_SCHEMA } from '../payment-methods/payment-method.schema.js';
import { id, money, nullable } from '../schema-parts.js';

export const TRANSACTION_SCHEMA = Type.Object(
  {
    id,
    intents: Type.Array(Type.Object({ id, amount: money })),
    type: Type.Unsafe<string>({ type: 'string', enum: ['payment', 'refund', 'return'] }),
    status: Type.Unsafe<string>({
      type: 'string',
      enum: ['pending', 'action_required', 'succeeded', 'failed', 'returned'],
    }),
    customerId: id,
    amount: money,
    feeAmount: Type.Union([money, Type.Null()]),
    paymentMethod: Type.Union([METHOD_SCHEMA, Type.Null()]),
    gateway: nullable('string'),
    paymentDate: Type.String({ format: 'date-time' }),
    reference: nullable('string'),
    /** For SEPA: the day on which the bank is asked to move the money, as the payer was notified. */
    collectionDate: nullable('string', { format: 'date' }),
    /** For SEPA: what the bank's line names. */
    endToEndId: nullable('string'),
    description: nullable('string'),
    failReason: nullable('string'),
    actionUrl: nullable('string', {
      format: 'uri',
      description: 'Where the payer does what the payment waits for; only while it is action_required.',
    }),
    returnedTransactionId: nullable('string', { format: 'uuid' }),
    refundedTransactionId: nullable('string', { format: 'uuid' }),
    createdAt: Type.String({ format: 'date-time' }),
  },
  { $id: 'PaymentTransaction' },
);

export type TransactionView = Static<typeof TRANSACTION_SCHEMA>;
