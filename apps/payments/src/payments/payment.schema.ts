import { Type } from '@sinclair/typebox';
import { METHOD_SCHEMA } from '../methods/payment-method.schema.js';

const nullable = (type: string, more: object = {}) => Type.Unsafe<unknown>({ type: [type, 'null'], ...more });
const money = Type.Object({ amount: Type.Integer(), currencyCode: Type.String() });
const id = Type.String({ format: 'uuid' });

export const INTENT_SCHEMA = Type.Object(
  {
    id,
    invoiceId: nullable('string', { format: 'uuid' }),
    topUpId: nullable('string', { format: 'uuid' }),
    customerId: id,
    amount: money,
    openAmount: money,
    creditAppliedAmount: money,
    status: Type.Unsafe<string>({ type: 'string', enum: ['open', 'processing', 'succeeded', 'failed', 'cancelled'] }),
    paymentMethodId: nullable('string', { format: 'uuid' }),
    paidAt: nullable('string', { format: 'date-time' }),
    failReason: nullable('string'),
    /** The day of the direct debit that is under way. */
    attempts: Type.Integer({ description: 'Collections that were started since it was last paid or got another method.' }),
    nextRetryAt: nullable('string', { format: 'date-time', description: 'When a failed collection is tried again by itself.' }),
    collectionDate: nullable('string', { format: 'date' }),
    createdAt: Type.String({ format: 'date-time' }),
  },
  { $id: 'PaymentIntent' },
);

export const TRANSACTION_SCHEMA = Type.Object(
  {
    id,
    intents: Type.Array(Type.Object({ id, amount: money })),
    type: Type.Unsafe<string>({ type: 'string', enum: ['payment', 'refund', 'return'] }),
    status: Type.Unsafe<string>({ type: 'string', enum: ['pending', 'action_required', 'succeeded', 'failed', 'returned'] }),
    customerId: id,
    amount: money,
    feeAmount: Type.Union([money, Type.Null()]),
    paymentMethod: Type.Union([METHOD_SCHEMA, Type.Null()]),
    gateway: nullable('string'),
    paymentDate: Type.String({ format: 'date-time' }),
    reference: nullable('string'),
    /** For SEPA: the day on which the bank is asked to move the money, as the payer was told. */
    collectionDate: nullable('string', { format: 'date' }),
    /** For SEPA: what the bank's line names. */
    endToEndId: nullable('string'),
    description: nullable('string'),
    failReason: nullable('string'),
    returnedTransactionId: nullable('string', { format: 'uuid' }),
    refundedTransactionId: nullable('string', { format: 'uuid' }),
    createdAt: Type.String({ format: 'date-time' }),
  },
  { $id: 'PaymentTransaction' },
);
