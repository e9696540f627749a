import { type Static, Type } from '@sinclair/typebox';
import type { MoneyJson } from '@kontor/money';
import { CHART } from '../../domain/ledger/chart-of-accounts.js';
import { id, money, nullable } from '../../schema-parts.js';

export const ACCOUNT_CODES = Object.keys(CHART);
export const TRANSFER_KINDS = ['posted', 'pending', 'post', 'void'];

const account = {
  id,
  code: Type.Unsafe<string>({ type: 'string', enum: ACCOUNT_CODES }),
  customerId: nullable('string', { format: 'uuid' }),
};

export const LEDGER_ACCOUNT_SCHEMA = Type.Object(
  {
    ...account,
    currencyCode: Type.String(),
    purpose: Type.String(),
    side: Type.Unsafe<string>({
      type: 'string',
      enum: ['debit', 'credit'],
      description: 'The side on which the account grows.',
    }),
    balance: Type.Unsafe<MoneyJson>({
      ...money,
      description: 'Posted, on its own side; negative when it lies on the other.',
    }),
    pending: Type.Unsafe<MoneyJson>({ ...money, description: 'Reserved by what is under way, on its own side.' }),
    debits: Type.Unsafe<MoneyJson>({ ...money, description: 'All that was ever posted to the debit side.' }),
    credits: Type.Unsafe<MoneyJson>({ ...money, description: 'All that was ever posted to the credit side.' }),
  },
  { $id: 'LedgerAccount' },
);
export type LedgerAccountView = Static<typeof LEDGER_ACCOUNT_SCHEMA>;

export const LEDGER_TRANSFER_SCHEMA = Type.Object(
  {
    id: Type.String({ description: 'Operation and leg.' }),
    operation: Type.String({ description: 'Names the business fact that was booked: once.' }),
    kind: Type.Unsafe<string>({ type: 'string', enum: TRANSFER_KINDS }),
    resolves: nullable('string', { description: 'For `post` and `void`: the pending operation.' }),
    debit: Type.Object(account),
    credit: Type.Object(account),
    amount: money,
    bookedAt: Type.String({ format: 'date-time' }),
  },
  { $id: 'LedgerTransfer' },
);
export type LedgerTransferView = Static<typeof LEDGER_TRANSFER_SCHEMA>;
