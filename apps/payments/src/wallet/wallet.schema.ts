import { type Static, Type } from '@sinclair/typebox';
import { METHOD_SCHEMA } from '../payment-methods/payment-method.schema.js';
import { money, nullable } from '../schema-parts.js';

export const WALLET_TRANSACTION_SCHEMA = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    customerId: Type.String({ format: 'uuid' }),
    type: Type.Unsafe<string>({
      type: 'string',
      enum: [
        'top_up',
        'overpayment',
        'credit_note',
        'invoice_payment',
        'invoice_payment_reversal',
        'adjustment',
        'expiry',
        'payout',
      ],
    }),
    amount: money,
    balanceAfter: money,
    invoiceId: nullable('string', { format: 'uuid' }),
    originalPaymentMethod: Type.Union([METHOD_SCHEMA, Type.Null()]),
    gateway: nullable('string'),
    transactionReference: nullable('string'),
    description: nullable('string'),
    createdAt: Type.String({ format: 'date-time' }),
  },
  { $id: 'WalletTransaction' },
);
export type WalletTransactionView = Static<typeof WALLET_TRANSACTION_SCHEMA>;

export const WALLET_TRANSACTIONS_SCHEMA = Type.Object(
  { items: Type.Array(WALLET_TRANSACTION_SCHEMA), count: Type.Integer() },
  { $id: 'WalletTransactions' },
);

export const WALLET_BALANCES_SCHEMA = Type.Object(
  {
    items: Type.Array(
      Type.Object({ customerId: Type.String({ format: 'uuid' }), currencyCode: Type.String(), balance: money }),
    ),
    count: Type.Integer(),
  },
  { $id: 'WalletBalances' },
);
