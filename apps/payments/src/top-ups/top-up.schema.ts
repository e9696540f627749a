import { type Static, Type } from '@sinclair/typebox';
import { id, instant, money, nullable } from '../schema-parts.js';

export const TOP_UP_SCHEMA = Type.Object(
  {
    id,
    customerId: id,
    requestedAmount: money,
    creditedAmount: Type.Union([money, Type.Null()]),
    status: Type.Unsafe<string>({ type: 'string', enum: ['pending', 'completed', 'failed'] }),
    paymentMethodId: nullable('string', { format: 'uuid' }),
    failureReason: nullable('string'),
    automatic: Type.Boolean({ description: 'Started by a rule.' }),
    reference: Type.String({ description: 'What a transfer for it should name.' }),
    createdAt: instant,
    completedAt: nullable('string', { format: 'date-time' }),
  },
  { $id: 'WalletTopUp' },
);
export type TopUpView = Static<typeof TOP_UP_SCHEMA>;

export const TOP_UPS_SCHEMA = Type.Object(
  { items: Type.Array(TOP_UP_SCHEMA), count: Type.Integer() },
  { $id: 'WalletTopUps' },
);

export const AUTO_TOP_UP_SCHEMA = Type.Object(
  {
    id,
    customerId: id,
    currencyCode: Type.String(),
    thresholdAmount: Type.Number({ description: 'Major units.' }),
    topUpAmount: Type.Number({ description: 'Major units.' }),
    paymentMethodId: nullable('string', { format: 'uuid' }),
    enabled: Type.Boolean(),
    consecutiveFailures: Type.Integer(),
    createdAt: instant,
    updatedAt: instant,
  },
  { $id: 'AutoTopUpRule' },
);
export type AutoTopUpRuleView = Static<typeof AUTO_TOP_UP_SCHEMA>;

export const AUTO_TOP_UPS_SCHEMA = Type.Object(
  { items: Type.Array(AUTO_TOP_UP_SCHEMA), count: Type.Integer() },
  { $id: 'AutoTopUpRules' },
);
