import { type Static, Type } from '@sinclair/typebox';
import { id, instant, nullable } from '../../schema-parts.js';

export const BANK_ACCOUNT_SCHEMA = Type.Object(
  {
    id,
    name: nullable('string'),
    iban: Type.String(),
    bic: nullable('string'),
    currencyCode: Type.String(),
    accountIdentifications: Type.Array(Type.String(), {
      description: 'Other names under which files know the account',
    }),
    createdAt: instant,
  },
  { $id: 'BankAccount' },
);
export type BankAccountView = Static<typeof BANK_ACCOUNT_SCHEMA>;
